import Glibc
import Linux
import Testing

/// Tests of reading files: what is refused, and how long it may take.
@Suite(.serialized) struct FileReaderTests {
  private let path = "/tmp/cockpit-file-\(getpid())-\(UInt32.random(in: 0...(.max)))"

  private func write(_ count: Int) {
    let file = fopen(path, "w")
    for index in 0..<count { fputc(Int32(index & 0x7f), file) }
    fclose(file)
  }

  @Test func `a regular file is read whole, up to the limit and not past it`() throws {
    defer { unlink(path) }
    for count in [0, 1, 70_000, 1_100_000] {
      write(count)
      let bytes = try FileReader.bytes(of: path, atMost: count)
      #expect(bytes.count == count && bytes.last == (count > 0 ? UInt8((count - 1) & 0x7f) : nil))
    }
    #expect(throws: FileReader.Failure.tooLarge) { try FileReader.bytes(of: path, atMost: 1_099_999) }
  }

  @Test func `a file without a size, such as the kernel's, is read to its end as well`() throws {
    #expect(try !FileReader.bytes(of: "/proc/self/status", atMost: 1 << 20).isEmpty)
  }

  @Test func `what is no regular file is refused at once`() {
    defer { unlink(path) }
    #expect(mkfifo(path, 0o600) == 0)
    for other in [path, "/dev/zero", "/tmp"] {
      #expect(throws: FileReader.Failure.notAFile) { try FileReader.bytes(of: other, atMost: 1 << 20) }
    }
    #expect(throws: FileReader.Failure.system(errno: ENOENT)) { try FileReader.bytes(of: "/nowhere", atMost: 1) }
    #expect(throws: FileReader.Failure.system(errno: EINVAL)) { try FileReader.bytes(of: "/tmp\0", atMost: 1) }
  }

  @Test func `a file that comes too slowly is given up`() {
    defer { unlink(path) }
    write(10)
    #expect(throws: FileReader.Failure.tooSlow) { try FileReader.bytes(of: path, atMost: 10, within: .zero) }
  }
}
