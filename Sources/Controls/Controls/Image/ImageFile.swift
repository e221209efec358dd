extension ImageReference {
  /// How many of the picture's pixels are one point: 2 for a name that ends in `@2x.png`, 1.5 for `@1.5x.png`, else 1.
  nonisolated public var scale: Scale {
    let name = path.split(separator: "/").last.map(String.init) ?? ""
    guard let at = name.lastIndex(of: "@") else { return .one }
    let rest = name[name.index(after: at)...]
    guard let end = rest.firstIndex(of: "x"), let factor = Double(rest[..<end]), (0.1...100).contains(factor),
      rest[rest.index(after: end)...].first == "." || rest.index(after: end) == rest.endIndex
    else { return .one }
    return Scale(factor)
  }

  /// The picture in the file; each call reads it.
  @MainActor public func load() throws(PictureError) -> Picture {
    try Picture(contentsOf: path, scale: scale)
  }
}
