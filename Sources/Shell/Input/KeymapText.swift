// Owns what is known of a keymap's text before it is compiled.
// Must not know what keys mean.

import Glibc

/// The text of a keymap, as a compositor sent it.
nonisolated struct KeymapText {
  /// Keymaps past this size are not believed.
  static let maximumSize = 4 << 20

  /// The text without its NUL.
  let bytes: [UInt8]

  /// Reads `size` bytes of the file `descriptor`, which stays the caller's. Nil when there are not as many, or the text can't be
  /// given to a compiler.
  ///
  /// Read, not mapped: a file that is cut short meanwhile gives fewer bytes, where a mapping would give a SIGBUS. What is told
  /// of wl_keyboard.keymap (version 7: to be mapped privately) is about not writing to it.
  init?(descriptor: Int32, size: Int) {
    guard size > 1, size <= KeymapText.maximumSize else { return nil }
    var count = 0
    var bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, initialized in
      while let start = buffer.baseAddress, count < size {
        let got = pread(descriptor, start + count, size - count, off_t(count))
        if got < 0, errno == EINTR { continue }
        guard got > 0 else { break }
        count += got
      }
      initialized = count
    }
    guard count == size else { return nil }
    // The text ends in NUL within the size, or at the size.
    if let end = bytes.firstIndex(of: 0) { bytes.removeSubrange(end...) }
    guard !KeymapText.hasListWithoutFirst(bytes) else { return nil }
    self.bytes = bytes
  }

  /// True where a list in braces begins with a comma. libxkbcommon up to 1.7 writes to address 0 when it reads the symbols of a key
  /// that begin so; no keymap that anybody wrote does.
  private static func hasListWithoutFirst(_ text: [UInt8]) -> Bool {
    var (isQuoted, isComment, isOpened) = (false, false, false)
    for (index, byte) in text.enumerated() {
      if isComment {
        isComment = byte != UInt8(ascii: "\n")
        continue
      }
      if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
      guard !isQuoted else {
        isOpened = false
        continue
      }
      switch byte {
      case UInt8(ascii: "{"): isOpened = true
      case UInt8(ascii: ","): if isOpened { return true }
      case UInt8(ascii: "#"): isComment = true
      case UInt8(ascii: "/"):
        isComment = index + 1 < text.count && text[index + 1] == byte
        isOpened = isOpened && isComment
      case UInt8(ascii: " "), 9...13: break
      default: isOpened = false
      }
    }
    return false
  }
}
