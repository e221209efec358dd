import Foundation
import Glibc
import TestSupport
import Testing
import UICore

@testable import MainLoop

@MainActor @Suite(.serialized) struct FileWatcherTests {
  private let folder: WatchedFolder
  private let loop = EventLoop()

  init() throws { folder = try WatchedFolder() }

  /// A folder that a test may move away.
  private final class WatchedFolder {
    private let outside: TemporaryFolder
    let path: String

    init() throws {
      outside = try TemporaryFolder()
      path = outside.path + "/watched"
      mkdir(path, 0o700)
    }

    /// Writes in place.
    func write(_ name: String, _ text: String) {
      let file = fopen(path + "/" + name, "w")
      fputs(text, file)
      fclose(file)
    }
  }

  /// How often the watcher reported a change after each of the actions.
  private func changes(_ name: String = "scene.json", after actions: [() -> Void]) throws -> [Int] {
    var count = 0
    let watcher = try FileWatcher(loop: loop, path: folder.path + "/" + name) { count += 1 }
    defer { withExtendedLifetime(watcher) {} }
    return actions.map { action in
      count = 0
      action()
      // The kernel has queued what was done before the call returned.
      loop.turn(waits: false)
      return count
    }
  }

  @Test func `a change is told once: written in place, replaced, made anew; other files' are not`() throws {
    folder.write("scene.json", "1")
    #expect(
      try changes(after: [
        { folder.write("scene.json", "2") },
        {
          folder.write("scene.json~", "3")
          rename(folder.path + "/scene.json~", folder.path + "/scene.json")
        }, { folder.write("other.json", "4") }, { unlink(folder.path + "/scene.json") },
        { folder.write("scene.json", "5") },
        { for text in ["6", "7", "8"] { folder.write("scene.json", text) } }, {},
      ]) == [1, 1, 0, 0, 1, 1, 0])
  }

  @Test func `nothing is told of a file that is only read`() throws {
    folder.write("scene.json", "1")
    #expect(try changes(after: [{ fclose(fopen(folder.path + "/scene.json", "r")) }]) == [0])
  }

  @Test func `of a link, the file that it leads to is watched, also after the link changed`() throws {
    for name in ["a", "b"] {
      mkdir(folder.path + "/" + name, 0o700)
      folder.write(name + "/real.json", "1")
    }
    symlink("a/real.json", folder.path + "/scene.json")
    #expect(
      try changes(after: [
        { folder.write("a/real.json", "2") }, { folder.write("b/real.json", "2") },
        {
          symlink("b/real.json", folder.path + "/link")
          rename(folder.path + "/link", folder.path + "/scene.json")
        }, { folder.write("a/real.json", "3") }, { folder.write("b/real.json", "3") },
      ]) == [1, 0, 1, 0, 1])
  }

  @Test func `a folder that is replaced is watched again`() throws {
    let clock = ManualClock()
    let loop = EventLoop(clock: clock)
    mkdir(folder.path + "/in", 0o700)
    var count = 0
    let watcher = try FileWatcher(loop: loop, path: folder.path + "/in/scene.json") { count += 1 }
    rename(folder.path + "/in", folder.path + "/out")
    loop.turn(waits: false)
    #expect(count == 0)
    mkdir(folder.path + "/in", 0o700)
    folder.write("in/scene.json", "1")
    clock.advance(by: .seconds(1))
    loop.turn(waits: false)
    #expect(count == 1, "it may be another file than before")
    folder.write("in/scene.json", "2")
    loop.turn(waits: false)
    #expect(count == 2)
    withExtendedLifetime(watcher) {}
  }

  @Test func `a change and the loss of the folder are one change`() throws {
    let loop = EventLoop(clock: ManualClock())
    for name in ["a", "b"] {
      mkdir(folder.path + "/" + name, 0o700)
      folder.write(name + "/real.json", "1")
    }
    symlink("a/real.json", folder.path + "/scene.json")
    var count = 0
    let watcher = try FileWatcher(loop: loop, path: folder.path + "/scene.json") { count += 1 }
    symlink("b/real.json", folder.path + "/link")
    rename(folder.path + "/link", folder.path + "/scene.json")
    rename(folder.path + "/a", folder.path + "/c")
    loop.turn(waits: false)
    #expect(count == 1)
    withExtendedLifetime(watcher) {}
  }

  @Test func `the folder that a link led to before is watched no more`() throws {
    for name in ["a", "b"] {
      mkdir(folder.path + "/" + name, 0o700)
      folder.write(name + "/real.json", "1")
    }
    var status = stat()
    try #require(stat(folder.path + "/a", &status) == 0)
    let mark = "ino:" + String(status.st_ino, radix: 16) + " "
    /// True while the process watches the folder "a".
    func isWatched() throws -> Bool {
      try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fdinfo").contains {
        (try? String(contentsOfFile: "/proc/self/fdinfo/" + $0, encoding: .utf8))?.contains(mark) ?? false
      }
    }
    symlink("a/real.json", folder.path + "/scene.json")
    let watcher = try FileWatcher(loop: loop, path: folder.path + "/scene.json") {}
    #expect(try isWatched())
    symlink("b/real.json", folder.path + "/link")
    rename(folder.path + "/link", folder.path + "/scene.json")
    loop.turn(waits: false)
    #expect(try !isWatched())
    withExtendedLifetime(watcher) {}
  }

  @Test func `a folder that is not there is an error, a missing file is none`() throws {
    #expect(throws: SystemError.self) { try FileWatcher(loop: loop, path: folder.path + "/no/scene.json") {} }
    #expect(throws: SystemError.self) { try FileWatcher(loop: loop, path: folder.path + "/") {} }
    #expect(try changes("missing", after: [{}]) == [0])
  }
}
