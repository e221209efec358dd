internal import CCairo

/// A line of a text that was set in a width.
nonisolated package struct TextLine: Hashable, Sendable {
  /// The bytes of the text's UTF-8 that it shows.
  package let utf8: Range<Int>
  /// Its extent in points from the layout's top left corner; as high as the line, however high its letters are.
  package let frame: Rect
  /// Whether its text begins at the right.
  package let isRightToLeft: Bool
}

/// For texts set within `TextLimits` that are exact, in as many lines as they need. Bytes count from the text's beginning.
///
/// A place where a line is wrapped belongs to two lines: `atLineEnd` says that the end of the first is meant.
extension TextLayout {
  /// Whether the first line begins at the right, as Arabic and Hebrew do.
  package var readsRightToLeft: Bool { pangoText?.placedLines(1).first?.isRightToLeft ?? false }

  /// The lines from the top, at least one.
  package var lines: [TextLine] {
    let lines = pangoText?.placedLines() ?? []
    guard !lines.isEmpty else {
      return [TextLine(utf8: 0..<text.utf8.count, frame: Rect(origin: .zero, size: size), isRightToLeft: false)]
    }
    return lines.map {
      TextLine(
        utf8: $0.bytes,
        frame: Rect(x: $0.x * ratio, y: $0.top * ratio, width: $0.width * ratio, height: $0.height * ratio),
        isRightToLeft: $0.isRightToLeft)
    }
  }

  /// The index in `lines` of the one that shows a caret before the byte `offset`.
  package static func line(of offset: Int, in lines: [TextLine], atLineEnd: Bool) -> Int {
    let index = lines.lastIndex { $0.utf8.lowerBound <= offset } ?? 0
    return atLineEnd && index > 0 && lines[index].utf8.lowerBound == offset ? index - 1 : index
  }

  /// A caret without width before the byte `offset`, as high as its line.
  package func caret(atUTF8 offset: Int, atLineEnd: Bool = false) -> Rect {
    let lines = lines
    let index = Self.line(of: offset, in: lines, atLineEnd: atLineEnd)
    let line = lines[index]
    var x = line.frame.minX
    if line.utf8.isEmpty {
      x = line.isRightToLeft ? line.frame.maxX : line.frame.minX
    } else if index + 1 < lines.count, offset >= line.utf8.upperBound {
      x = line.isRightToLeft ? line.frame.minX : line.frame.maxX
    } else {
      x = caretX(atUTF8: offset) - (pangoText?.placedLine(index)?.offset ?? 0) * ratio + line.frame.minX
    }
    return Rect(x: x, y: line.frame.minY, width: 0, height: line.frame.height)
  }

  /// The place of a caret that is nearest to a point, and whether it is at the end of a wrapped line.
  package func place(nearest point: Point) -> (utf8: Int, atLineEnd: Bool) {
    let lines = lines
    guard point.isFinite else { return (0, false) }
    let index = lines.firstIndex { point.y < $0.frame.maxY } ?? lines.count - 1
    let line = lines[index]
    guard let offset = pangoText?.utf8Offset(nearest: point.x / ratio, inLine: index) else {
      return (utf8Offset(atX: point.x), false)
    }
    guard index + 1 < lines.count, !line.utf8.isEmpty else { return (offset, false) }
    let end = line.utf8.upperBound
    if offset >= end || isBehindLast(from: offset, in: line, x: point.x) { return (end, true) }
    return (offset, false)
  }

  /// Whether `x` is nearer to the end of a wrapped line than to the beginning of its last character, at `offset`: Pango finds no place behind
  /// that one.
  private func isBehindLast(from offset: Int, in line: TextLine, x: Double) -> Bool {
    let last = offset..<line.utf8.upperBound
    let start = text.utf8.index(text.startIndex, offsetBy: last.lowerBound)
    guard text[start...].first?.utf8.count == last.count, let area = areas(ofUTF8: last).first else { return false }
    return line.isRightToLeft ? x < area.midX : x > area.midX
  }

  /// The areas of these bytes, line by line; several in a line of mixed directions.
  package func areas(ofUTF8 bytes: Range<Int>) -> [Rect] {
    guard !bytes.isEmpty else { return [] }
    guard let pangoText else {
      return selectionXs(fromUTF8: bytes.lowerBound, to: bytes.upperBound).map {
        Rect(x: $0.lowerBound, y: 0, width: $0.upperBound - $0.lowerBound, height: size.height)
      }
    }
    return pangoText.areas(ofUTF8: bytes).map {
      Rect(x: $0.minX * ratio, y: $0.minY * ratio, width: $0.width * ratio, height: $0.height * ratio)
    }
  }
}
