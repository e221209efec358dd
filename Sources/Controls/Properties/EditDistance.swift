nonisolated package enum EditDistance {
  /// The name nearest to `typed`, ignoring case; nil if none is near.
  package static func nearest(to typed: String, in names: some Sequence<String>) -> String? {
    let word = Array(typed.lowercased().utf8)
    guard !word.isEmpty, word.count <= 60 else { return nil }
    var best: (name: String, distance: Int)?
    for name in names {
      let letters = Array(name.lowercased().utf8)
      let isStart = word.count >= 2 && letters.starts(with: word)
      let distance = isStart ? 0 : between(word, letters)
      guard distance <= max(1, letters.count / 3), distance < best?.distance ?? .max else { continue }
      best = (name, distance)
    }
    return best?.name
  }

  /// The names that have `typed` inside, ignoring case: `trackTintColor` for "color". Empty for one or two letters.
  package static func containing(_ typed: String, in names: some Sequence<String>) -> [String] {
    let word = Array(typed.lowercased().utf8)
    guard (3...60).contains(word.count) else { return [] }
    return names.filter { name in
      let letters = Array(name.lowercased().utf8)
      return letters.indices.contains { letters[$0...].starts(with: word) }
    }
  }

  /// The least number of letters inserted, removed, changed, or swapped with their neighbour.
  package static func between(_ a: [UInt8], _ b: [UInt8]) -> Int {
    guard !a.isEmpty, !b.isEmpty else { return max(a.count, b.count) }
    var rows = [Array(0...b.count)]
    for i in 1...a.count {
      var row = [i]
      for j in 1...b.count {
        let change = rows[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)
        var least = min(change, rows[i - 1][j] + 1, row[j - 1] + 1)
        if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] { least = min(least, rows[i - 2][j - 2] + 1) }
        row.append(least)
      }
      rows.append(row)
    }
    return rows[a.count][b.count]
  }
}
