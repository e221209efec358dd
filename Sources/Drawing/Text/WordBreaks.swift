internal import CCairo
internal import PangoLoader

/// Finds the words in Thai text, which has no blanks between them. Pango finds them with libthai's dictionary. Chinese and Japanese text
/// would need a dictionary that Pango doesn't have: there a run of letters counts as one word, as in GTK.
nonisolated package enum WordBreaks {
  /// The part of `run` that is one word and contains the character at `index`; all of `run` if it has no Thai letter, or if the machine has
  /// no Pango.
  package static func word(in run: ArraySlice<Character>, at index: Int) -> Range<Int> {
    let scalars = run.flatMap { Array($0.unicodeScalars) }
    guard scalars.contains(where: { 0x0E00...0x0E7F ~= $0.value }), cockpit_load_pango() != 0 else {
      return run.startIndex..<run.endIndex
    }
    let language = unsafe pango_language_get_default()
    var text = String(run)
    var attributes = [PangoLogAttr](repeating: PangoLogAttr(), count: scalars.count + 1)
    text.withUTF8 { bytes in
      unsafe bytes.withMemoryRebound(to: CChar.self) {
        unsafe pango_get_log_attrs($0.baseAddress, Int32($0.count), -1, language, &attributes, Int32(attributes.count))
      }
    }
    var (start, end) = (run.startIndex, run.endIndex)
    var scalar = 0
    for place in run.indices {
      if place <= index, attributes[scalar].is_word_start != 0 { start = place }
      if place > index, attributes[scalar].is_word_start != 0 || attributes[scalar].is_word_end != 0 {
        end = place
        break
      }
      scalar += run[place].unicodeScalars.count
    }
    return start..<end
  }
}
