import Foundation

/// What `nm` and `swift demangle` say of a program; empty where they are missing or the program was stripped.
struct ProgramSymbols {
  private var places: [UInt64] = []
  private var names: [String] = []

  /// The functions of the program at `path`.
  init(_ path: String) {
    let listed = Child.run(["/usr/bin/env", "nm", "-n", "--defined-only", path])?.output ?? Data()
    for line in String(decoding: listed, as: UTF8.self).split(separator: "\n") {
      let parts = line.split(separator: " ", maxSplits: 2)
      guard parts.count == 3, parts[1].lowercased() == "t" || parts[1] == "W", let place = UInt64(parts[0], radix: 16)
      else { continue }
      places.append(place)
      names.append(String(parts[2]))
    }
  }

  /// The functions that hold `places`, as people write them.
  func names(of places: [UInt64]) -> [UInt64: String] {
    var raw: [UInt64: String] = [:]
    for place in places {
      var (low, high) = (0, self.places.count)
      while low < high {
        let middle = (low + high) / 2
        if self.places[middle] <= place { low = middle + 1 } else { high = middle }
      }
      raw[place] = low > 0 ? names[low - 1] : String(place, radix: 16)
    }
    let mangled = Array(Set(raw.values))
    let words = ["/usr/bin/env", "swift", "demangle", "--compact", "--simplified"] + mangled
    guard !mangled.isEmpty, let output = Child.run(words)?.output else { return raw }
    let lines = String(decoding: output, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
    let plain = Dictionary(zip(mangled, lines.map(String.init)), uniquingKeysWith: { first, _ in first })
    return raw.mapValues { plain[$0] ?? $0 }
  }
}
