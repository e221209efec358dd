import Glibc
import Linux
import Stage
import Testing
import UICore

@testable import Shell

/// How windows' pictures lie in shared memory.
@MainActor @Suite(.serialized) struct BufferTests {
  /// COCKPIT_FUZZ_SECONDS asks for ten thousand.
  nonisolated static let count = getenv("COCKPIT_FUZZ_SECONDS") == nil ? 300 : 10_000

  /// The stage reports each buffer that a GPU could not read where it is.
  @Test func `every window and popup of any size and scale has whole pages, and rows without padding`() throws {
    var random = SeededRandom(seed: 0x5eed_0016)
    try play { show in
      for index in 0..<Self.count {
        let size = PixelSize(width: 1 + Int(random.next() % 700), height: 1 + Int(random.next() % 300))
        show.surface.prefer(Scale(in120ths: 30 + Int(random.next() % 400)))
        show.toplevel.configure(size.width, size.height, [.maximized])
        show.settle()
        show.refresh()
        let buffer = try #require(show.surface.buffer)
        #expect(buffer.stride == buffer.size.width * 4)
        guard index % 10 == 0, let window = show.window else { continue }
        let popup = window.showPopup(
          TestContent(),
          at: PopupPlacement(
            anchor: Rect(x: 0, y: 0, width: 1, height: 1),
            size: Size(width: Double(1 + random.next() % 200), height: Double(1 + random.next() % 200))), by: nil)
        show.settle()
        show.refresh()
        #expect(popup != nil && show.stage.popups.last?.surface.isMapped == true)
        popup?.close()
        show.settle()
      }
    }
  }

  @Test
  func `a buffer that somebody holds gives no memory, and what was to be drawn into it comes with the next frame`()
    throws
  {
    try play { show in
      let window = try #require(show.window)
      var frames: [UInt64: CommittedFrame] = [:]
      window.onCommit = { frames[$0.memory] = $0 }
      let spots = (0..<4).map { PixelRect(x: $0 * 8, y: 0, width: 4, height: 4) }
      for spot in spots.dropLast() {
        show.content.paint(spot)
        show.refresh()
      }
      show.calm()
      #expect(!frames.isEmpty)
      // A reader takes hold of every buffer between the choice of one and the drawing into it.
      show.content.onCall = { name in
        guard name == "takeDamage" else { return }
        show.content.onCall = nil
        for frame in frames.values { frame.beginReading() }
      }
      show.content.paint(spots[3])
      for _ in 0..<3 { show.refresh() }
      #expect(show.content.onCall == nil, "the damage was taken for a buffer that was no longer free")
      for frame in frames.values { frame.endReading() }
      for _ in 0..<3 { show.refresh() }
      let picture = try #require(show.surface.buffer?.picture())
      #expect(show.content.drawn.first?.area == picture.size.area, "the damage was taken, so all is drawn")
      for spot in spots { #expect(picture.pixel(x: spot.x + 1, y: spot.y + 1) == 0xffff_ffff) }
    }
  }

  @Test(arguments: [MemoryFile.memfd, .unnamed(in: "/dev/shm"), .unnamed(in: "/tmp")])
  func `memory for pictures is whole pages, however the file was made`(way: MemoryFile) throws {
    for count in [1, 4095, 4096, 4097, 1_000_000] {
      let memory = try SharedMemory(count: count, ways: [way])
      var status = stat()
      let (result, bytes) = (fstat(memory.file.number, &status), memory.bytes)
      #expect(result == 0 && Int(status.st_size) == bytes.count)
      #expect(bytes.count >= count && bytes.count % SharedMemory.page == 0)
      #expect(bytes.allSatisfy { $0 == 0 })
      bytes[bytes.count - 1] = 1
    }
  }

  @Test func `where every way is refused, the first reason is reported`() {
    #expect(throws: ShellError.system(operation: "a file in memory", errno: ENOENT)) {
      _ = try SharedMemory(count: 1, ways: [.unnamed(in: "/nonexistent"), .unnamed(in: "/proc")])
    }
  }

  @Test func `beyond the limit for files a buffer is refused with a reason, and the process goes on`() async {
    await #expect(processExitsWith: .success) { @MainActor in
      // As the program does at its start.
      signal(SIGXFSZ, SIG_IGN)
      var limit = rlimit(rlim_cur: 65_536, rlim_max: 65_536)
      setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
      guard (try? SharedMemory(count: 4096)) != nil else { exit(2) }
      do throws(ShellError) {
        _ = try SharedMemory(count: 1 << 20)
        exit(3)
      } catch { exit(0) }
    }
  }
}
