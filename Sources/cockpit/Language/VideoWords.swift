import Controls

nonisolated extension VideoFreshness.State {
  /// The state as drivers read it.
  func word(in language: Language) -> String {
    let isChinese = language.code == .chinese
    return switch self {
    case .live: isChinese ? "实时" : "live"
    case .repeating: isChinese ? "画面重复" : "picture repeats"
    case .stale: isChinese ? "画面过旧" : "picture is old"
    case .undecodable: isChinese ? "无法解码" : "cannot be decoded"
    case .lost: isChinese ? "画面丢失" : "picture is lost"
    }
  }

  /// Every word of a language, for the letters that it needs.
  static func words(in language: Language) -> String { allCases.map { $0.word(in: language) }.joined() }
}

nonisolated extension VideoNotice {
  /// The quiet line: the camera if there are several, the age or that it is not known, pictures a second, and the way to the vehicle and back.
  func line(in language: Language) -> String {
    let isChinese = language.code == .chinese
    var parts = camera.isEmpty ? [] : [camera]
    if state == .live {
      let known = age.map { "\($0) ms" } ?? ""
      parts.append(isAgeKnown ? known : isChinese ? "延迟未知" : "age unknown")
      parts.append("\(framesPerSecond)/s")
    } else {
      parts.append(state.word(in: language))
    }
    if let link { parts.append("\(language.roundTrip) \(link) ms") }
    return parts.joined(separator: "  ·  ")
  }

  /// The age in large figures: in tenths of a second up to ten seconds, in whole seconds up to a minute, then in minutes; a dash if there was no
  /// picture.
  func figures(in language: Language) -> String {
    switch age {
    case nil: "–"
    case let age? where age < 10_000: "\(age / 1000).\(age / 100 % 10) s"
    case let age? where age < 60_000: "\(age / 1000) s"
    case let age?: "\(age / 60_000) min"
    }
  }

  /// How long the figures stay as they are.
  var figuresPeriod: Duration? {
    age.map { $0 < 10_000 ? .milliseconds(100) : $0 < 60_000 ? .seconds(1) : .seconds(60) }
  }
}
