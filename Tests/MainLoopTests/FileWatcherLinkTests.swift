import Glibc
import TestSupport
import Testing
import UICore

@testable import MainLoop

/// Tests that a file is watched through every kind of link, and through folders that are replaced.
@MainActor @Suite(.serialized) struct FileWatcherLinkTests {
  /// A folder, with short commands in it.
  nonisolated struct Folder: Sendable {
    let path: String

    func at(_ name: String) -> String { path + "/" + name }
    func write(_ name: String, _ text: String = "1") {
      let file = fopen(at(name), "w")
      fputs(text, file)
      fclose(file)
    }
    func make(_ name: String) { mkdir(at(name), 0o700) }
    func link(_ name: String, to target: String) { symlink(target, at(name)) }
    func hard(_ name: String, to target: String) { Glibc.link(at(target), at(name)) }
    func move(_ name: String, to other: String) { rename(at(name), at(other)) }
    func remove(_ name: String) { unlink(at(name)) }
    /// A link made anew by a rename, so that it is never missing.
    func swap(_ name: String, to target: String) {
      link(name + "~", to: target)
      move(name + "~", to: name)
    }
  }

  /// A path in a folder, what is there before, what changes, and what is then the file's real name.
  nonisolated struct Case: CustomTestStringConvertible, Sendable {
    let testDescription: String
    var path = "F"
    let before: @Sendable (Folder) -> Void
    let change: @Sendable (Folder) -> Void
    let real: String
  }

  nonisolated static let cases: [Case] = [
    Case(
      testDescription: "removed, then a symbolic link",
      before: { folder in for name in ["F", "other"] { folder.write(name) } },
      change: {
        $0.remove("F")
        $0.link("F", to: "other")
      }, real: "other"),
    Case(
      testDescription: "removed, then a hard link",
      before: { folder in for name in ["F", "other"] { folder.write(name) } },
      change: {
        $0.remove("F")
        $0.hard("F", to: "other")
      }, real: "other"),
    Case(
      testDescription: "a link's folder, swapped", path: "current/F",
      before: {
        for name in ["v1", "v2"] {
          $0.make(name)
          $0.write(name + "/F")
        }
        $0.link("current", to: "v1")
      }, change: { $0.swap("current", to: "v2") }, real: "v2/F"),
    Case(
      testDescription: "a link's folder, removed and made anew", path: "current/F",
      before: {
        for name in ["v1", "v2"] {
          $0.make(name)
          $0.write(name + "/F")
        }
        $0.link("current", to: "v1")
      },
      change: {
        $0.remove("current")
        $0.link("current", to: "v2")
      }, real: "v2/F"),
    Case(
      testDescription: "a link to a link, the middle one changed",
      before: {
        for name in ["a", "b"] { $0.write(name) }
        $0.link("middle", to: "a")
        $0.link("F", to: "middle")
      }, change: { $0.swap("middle", to: "b") }, real: "b"),
    Case(
      testDescription: "as a ConfigMap",
      before: {
        for name in ["..1", "..2"] {
          $0.make(name)
          $0.write(name + "/F")
        }
        $0.link("..data", to: "..1")
        $0.link("F", to: "..data/F")
      }, change: { $0.swap("..data", to: "..2") }, real: "..2/F"),
    Case(
      testDescription: "a folder two levels up, moved and replaced", path: "a/b/c/F",
      before: {
        for name in ["a", "a/b", "a/b/c", "n", "n/b", "n/b/c"] { $0.make(name) }
        for name in ["a/b/c/F", "n/b/c/F"] { $0.write(name) }
      },
      change: {
        $0.move("a", to: "old")
        $0.move("n", to: "a")
      }, real: "a/b/c/F"),
    Case(
      testDescription: "a link that led nowhere, whose file comes",
      before: { $0.link("F", to: "later") }, change: { $0.write("later") }, real: "later"),
    Case(
      testDescription: "a link into a folder that was missing",
      before: {
        $0.link("F", to: "dir/F")
        $0.make("new")
        $0.write("new/F")
      }, change: { $0.move("new", to: "dir") }, real: "dir/F"),
    Case(
      testDescription: "an absolute link, and one upwards", path: "in/F",
      before: {
        for name in ["in", "x", "y"] { $0.make(name) }
        for name in ["x/real", "y/real"] { $0.write(name) }
        $0.link("in/F", to: "../pass/real")
        $0.link("pass", to: $0.at("x"))
      }, change: { $0.swap("pass", to: $0.at("y")) }, real: "y/real"),
    Case(
      testDescription: "a folder becomes a link", path: "dir/F",
      before: {
        for name in ["dir", "other"] {
          $0.make(name)
          $0.write(name + "/F")
        }
      },
      change: {
        $0.move("dir", to: "gone")
        $0.link("dir", to: "other")
      }, real: "other/F"),
  ]

  @Test(arguments: cases) func `a file is told of once, and so is what is written to it then`(example: Case) throws {
    let outside = try TemporaryFolder()
    let folder = Folder(path: outside.path)
    example.before(folder)
    let clock = ManualClock()
    let loop = EventLoop(clock: clock)
    var count = 0
    let watcher = try FileWatcher(loop: loop, path: folder.at(example.path)) { count += 1 }
    loop.turn(waits: false)
    #expect(count == 0)
    example.change(folder)
    loop.turn(waits: false)
    #expect(count == 1, "the change")
    clock.advance(by: .seconds(2))
    loop.turn(waits: false)
    #expect(count == 1, "and it alone")
    folder.write(example.real, "2")
    loop.turn(waits: false)
    #expect(count == 2, "written to")
    withExtendedLifetime(watcher) {}
  }

  @Test func `written by another of its names`() throws {
    let outside = try TemporaryFolder()
    let (folder, loop) = (Folder(path: outside.path), EventLoop())
    folder.make("far")
    folder.write("far/other")
    folder.hard("F", to: "far/other")
    var count = 0
    let watcher = try FileWatcher(loop: loop, path: folder.at("F")) { count += 1 }
    folder.write("far/other", "2")
    loop.turn(waits: false)
    #expect(count == 1)
    withExtendedLifetime(watcher) {}
  }

  @Test
  func `a file that is made and not closed is not told of before it rests; a link of which the first name is gone is`()
    throws
  {
    let outside = try TemporaryFolder()
    let (folder, clock) = (Folder(path: outside.path), ManualClock())
    let loop = EventLoop(clock: clock)
    folder.write("F")
    folder.write("other")
    var count = 0
    let watcher = try FileWatcher(loop: loop, path: folder.at("F")) { count += 1 }
    func pass(_ milliseconds: Int) {
      clock.advance(by: .milliseconds(milliseconds))
      loop.turn(waits: false)
    }
    folder.remove("F")
    folder.hard("F", to: "other")
    folder.remove("other")
    pass(0)
    #expect(count == 0)
    pass(110)
    #expect(count == 1)
    // A slow writer.
    folder.remove("F")
    let file = fopen(folder.at("F"), "w")
    for _ in 0..<5 {
      fputs("part", file)
      fflush(file)
      pass(110)
      #expect(count == 1)
    }
    fclose(file)
    pass(0)
    #expect(count == 2)
    pass(500)
    #expect(count == 2)
    withExtendedLifetime(watcher) {}
  }
}
