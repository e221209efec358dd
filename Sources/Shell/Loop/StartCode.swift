// Owns the way in which a program lets go of the code that only its start needed.

import CLinux
import Glibc

/// The program's own code in memory.
///
/// Reading scenes, binding globals and building views runs through most of a program's code once; what is left to do then needs
/// a tenth of it. The pages stay mapped all the same, and count as the program's memory.
public nonisolated enum StartCode {
  /// Unmaps the pages of the program's code, and gives how many bytes of addresses that were.
  ///
  /// What is still used comes back by itself from the kernel's cache of the file, 16 pages at a time, in about a microsecond;
  /// what is not becomes the first that the kernel drops when memory is short. Only code that nobody can have written to goes
  /// (program headers that are executable and not writable; `madvise`, MADV_DONTNEED). Call it once the first frame is shown.
  @discardableResult
  public static func letGo() -> Int {
    let headers = UnsafePointer<Elf64_Phdr>(bitPattern: getauxval(UInt(AT_PHDR)))
    guard let headers, getauxval(UInt(AT_PHENT)) == UInt(MemoryLayout<Elf64_Phdr>.size) else { return 0 }
    let segments = UnsafeBufferPointer(start: headers, count: Int(getauxval(UInt(AT_PHNUM))))
    guard let own = segments.first(where: { $0.p_type == UInt32(PT_PHDR) }) else { return 0 }
    let base = UInt(bitPattern: headers) - UInt(own.p_vaddr)
    let page = UInt(sysconf(Int32(_SC_PAGESIZE)))
    var bytes = 0
    for segment in segments
    where segment.p_type == UInt32(PT_LOAD) && segment.p_flags & UInt32(PF_X | PF_W) == UInt32(PF_X) {
      // The segment's first and last page may hold something else as well: they stay.
      let start = (base + UInt(segment.p_vaddr) + page - 1) / page * page
      let end = (base + UInt(segment.p_vaddr) + UInt(segment.p_filesz)) / page * page
      guard end > start, let address = UnsafeMutableRawPointer(bitPattern: start) else { continue }
      if madvise(address, Int(end - start), MADV_DONTNEED) == 0 { bytes += Int(end - start) }
    }
    return bytes
  }
}
