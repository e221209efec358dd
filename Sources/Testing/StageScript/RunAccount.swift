import Stage

/// What a page tells of a run, beside the rules that the client broke.
struct RunAccount {
  /// A picture on the page.
  struct Picture {
    enum Content {
      /// The bytes of a PNG file.
      case png([UInt8])
      /// The page has no room for it, or it can't be read; the path of its file, if it has one.
      case leftOut(String?)
    }

    let size: PixelSize
    let content: Content
  }

  /// Why a step failed, and what was shown then.
  struct Failure {
    let message: String
    let picture: Picture?
  }

  /// A step that was carried out, or has begun.
  struct Step {
    let title: String
    /// When it began, by the stage's clock.
    let begin: MonotonicTime
    /// How long it took by that clock and in real time; nil as long as it goes on.
    var length: (stage: Duration, real: Duration)?
    var failure: Failure?
  }

  /// The last picture before the first request that broke a rule, and the first after it.
  struct Evidence {
    let before: Picture?
    var after: Picture?
  }

  /// A screenshot of a step.
  struct Shot {
    let name: String
    /// The path of the file that it was compared with; nil if it was not.
    let reference: String?
    let isEqual: Bool
    let new: Picture?
    var expected: Picture?
    var difference: Picture?
  }

  /// The script's name.
  let name: String
  /// The names and values of what the page begins with.
  let facts: [(name: String, value: String)]
  /// The lines and titles of a script's steps; nil if the steps come from a controller.
  let plan: [(line: Int, title: String)]?
  /// The time at which the stage's clock began.
  var start = MonotonicTime.zero
  private(set) var steps: [Step] = []
  var evidence: [Violation.Rule: Evidence] = [:]
  var shots: [Shot] = []
  /// What was shown last by a client that died.
  var last: Picture?
  var filmPicture: Picture?
  /// A remark on the film.
  var film: String?
  /// Whether a picture lacks what lies beyond its largest size.
  var isCropped = false
  /// What the client printed: the beginning, the number of bytes that are left out, and the end.
  var output: (head: String, omitted: Int, tail: String) = ("", 0, "")

  init(name: String, facts: [(name: String, value: String)], plan: [(line: Int, title: String)]?) {
    (self.name, self.facts, self.plan) = (name, facts, plan)
  }

  /// What the page of a run of `command` says at its beginning.
  static func facts(_ command: [String], _ setup: Setup) -> [(name: String, value: String)] {
    var facts = [
      ("Client", command.map(quoted).joined(separator: " ")), ("Stage", StageCommand.version),
      ("Output", "\(setup.output.width) x \(setup.output.height) pixels"), ("Seed", "\(setup.seed)"),
    ]
    if setup.isStrict { facts.append(("Advice", "fails, too (strict)")) }
    if !setup.allowed.isEmpty {
      facts.append(("Allowed to break", setup.allowed.map(\.rawValue).sorted().joined(separator: ", ")))
    }
    return facts.map { (name: $0.0, value: $0.1) }
  }

  /// A word as a shell reads it.
  private static func quoted(_ word: String) -> String {
    let plain = word.unicodeScalars.allSatisfy { scalar in
      scalar.isASCII && (scalar.properties.isAlphabetic || "0123456789-_./=:,+@%".unicodeScalars.contains(scalar))
    }
    guard !plain || word.isEmpty else { return word }
    return "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
  }

  mutating func begin(_ title: String, at time: MonotonicTime) { steps.append(Step(title: title, begin: time)) }

  /// Ends the step that began last.
  mutating func end(_ failure: Failure?, at time: MonotonicTime, after real: Duration) {
    guard let last = steps.indices.last else { return }
    steps[last].failure = failure
    steps[last].length = (time - steps[last].begin, real)
  }
}
