// Owns the way in which a program lets go of the code that only its start needed.

import CLinux
import Glibc

/// The code of the program and its libraries, in memory.
///
/// Reading scenes, binding globals, finding fonts and building views runs through most of the code once; what is left to do then
/// needs a tenth of it. The pages stay mapped all the same, and count as the program's memory.
public nonisolated enum StartCode {
  /// Unmaps the pages of all code, and gives how many bytes of addresses that were; 0 where /proc is not mounted.
  ///
  /// What is still used comes back by itself from the kernel's cache of the files, 16 pages at a time, in about a microsecond;
  /// what is not becomes the first that the kernel drops when memory is short. Only code goes that nobody can have written to:
  /// private mappings of files, executable and not writable (`madvise`, MADV_DONTNEED). Call it once the first frame is shown, and
  /// not at all where something must happen within a few milliseconds: the code for that may have to be fetched first.
  @discardableResult
  public static func letGo() -> Int {
    guard let file = fopen("/proc/self/maps", "re") else { return 0 }
    defer { fclose(file) }
    var (line, room): (UnsafeMutablePointer<CChar>?, Int) = (nil, 0)
    defer { free(line) }
    var bytes = 0
    while getline(&line, &room, file) > 0, let start = line {
      guard let (first, end) = code(start), let address = UnsafeMutableRawPointer(bitPattern: first) else { continue }
      if madvise(address, Int(end - first), MADV_DONTNEED) == 0 { bytes += Int(end - first) }
    }
    return bytes
  }

  /// The addresses of a line that is about code in a file: "first-end r-xp offset device inode   /path" (proc(5)).
  private static func code(_ line: UnsafeMutablePointer<CChar>) -> (first: UInt, end: UInt)? {
    var rest: UnsafeMutablePointer<CChar>? = line
    let first = strtoul(line, &rest, 16)
    guard let dash = rest, dash.pointee == CChar(UInt8(ascii: "-")) else { return nil }
    let end = strtoul(dash + 1, &rest, 16)
    guard let rest, end > first, strncmp(rest, " r-xp ", 6) == 0, strchr(rest, Int32(UInt8(ascii: "/"))) != nil else {
      return nil
    }
    return (UInt(first), UInt(end))
  }
}
