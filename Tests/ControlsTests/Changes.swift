import Testing

/// Records an issue unless `reported` is true.
nonisolated func changes(
  _ reported: Bool, _ comment: @autoclosure () -> Comment? = nil, at location: SourceLocation = #_sourceLocation
) {
  #expect(reported, comment() ?? "no change was reported", sourceLocation: location)
}

/// Records an issue unless `reported` is false.
nonisolated func keeps(
  _ reported: Bool, _ comment: @autoclosure () -> Comment? = nil, at location: SourceLocation = #_sourceLocation
) {
  #expect(!reported, comment() ?? "a change was reported", sourceLocation: location)
}
