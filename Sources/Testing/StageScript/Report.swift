import JSON
import Stage

/// The result of a script.
struct Report {
  enum Outcome {
    case done(StepKind.Reply)
    case failed(String)
  }

  /// The form of the output.
  enum Form {
    /// Text for users: each failure, with the script's line.
    case text
    /// The Test Anything Protocol, version 14.
    case tap
  }

  let script: Script
  /// The outcome of each step that was carried out.
  let outcomes: [Outcome]
  let findings: [Finding]
  /// How the client died; nil if it did not.
  let death: String?
  /// Whether the report is the same in each run: it then names each broken rule once, without the step, the request and the
  /// object, which depend on the client's timers.
  let isStable: Bool

  init(
    script: Script, outcomes: [Outcome], findings: [Finding], death: String?, isStable: Bool = false
  ) {
    self.script = script
    self.outcomes = outcomes
    let unexpected = findings.filter { !$0.isExpected }
    if isStable {
      self.findings = [false, true].flatMap { isAdvice in
        Violation.Rule.allCases.compactMap { rule in
          unexpected.first { $0.violation.rule == rule && $0.isAdvice == isAdvice }
            .map { Finding(violation: $0.violation, step: nil, isAdvice: isAdvice) }
        }
      }
    } else {
      self.findings = unexpected
    }
    self.death = death
    self.isStable = isStable
  }

  /// 0 if the client passed, 1 if it broke a rule or an expectation failed, 2 if it died.
  var exitCode: Int32 {
    if findings.contains(where: { !$0.isAdvice }) || failure != nil { return 1 }
    return death == nil ? 0 : 2
  }

  /// The failed expectation.
  private var failure: (step: Int, message: String)? {
    if case .failed(let message) = outcomes.last { (outcomes.count - 1, message) } else { nil }
  }

  /// The remarks on a step; nil is the time after the last one. With `joinsAdvice`, a piece of advice is given once for the
  /// whole script.
  private func remarks(on step: Int?, joinsAdvice: Bool = false) -> [Remark] {
    var remarks: [Remark] = []
    for finding in findings {
      if joinsAdvice, finding.isAdvice {
        let first = findings.first { $0.isAdvice && $0.violation.rule == finding.violation.rule }
        guard first?.step == step else { continue }
      } else if finding.step != step {
        continue
      }
      let remark = Remark(finding, isStable: isStable)
      if let index = remarks.firstIndex(where: { $0.rule == remark.rule && $0.kind == remark.kind }) {
        remarks[index].count += 1
      } else {
        remarks.append(remark)
      }
    }
    if let failure, failure.step == step {
      remarks.append(Remark(kind: "failed", text: "\(script.steps[failure.step].kind.name): \(failure.message)"))
    }
    if let death, step == (outcomes.count < script.steps.count ? outcomes.count : nil) {
      remarks.append(Remark(kind: "died", text: death))
    }
    return remarks
  }

  // MARK: Text

  /// The report for users.
  var text: String {
    var text = ""
    for step in script.steps.indices.map(Optional.init) + [nil] {
      let place =
        if let step, isStable {
          "\(script.name): \(script.steps[step].title)"
        } else if let step {
          "\(script.name):\(script.line(ofStep: step))"
        } else {
          isStable ? script.name : "\(script.name): after the last step"
        }
      for remark in remarks(on: step, joinsAdvice: true) {
        text += "\(place): \(remark.kind): \(remark.text)\n"
        if let sentence = remark.rule?.sentence { text += "    \(sentence)\n" }
      }
    }
    return text + summary + "\n"
  }

  private var summary: String {
    let violations = findings.count { !$0.isAdvice }
    let advice = findings.count - violations
    let counts =
      isStable
      ? "\(outcomes.count) of \(script.steps.count) steps carried out, \(Self.count(violations, "rule")) broken, advice on \(advice)"
      : Self.counts(done: outcomes.count, of: script.steps.count, violations: violations, advice: advice)
    return "\(exitCode == 0 ? "passed" : exitCode == 2 ? "died" : "failed"): \(counts)"
  }

  /// How many steps were carried out, of how many if that is known, and what the client broke.
  static func counts(done: Int, of all: Int?, violations: Int, advice: Int) -> String {
    let steps = all.map { "\(done) of \($0) steps" } ?? count(done, "step")
    return "\(steps) carried out, \(count(violations, "violation")), \(count(advice, "piece")) of advice"
  }

  /// A number with its noun: "1 rule", "2 rules".
  private static func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }

  // MARK: TAP

  /// The report in the Test Anything Protocol: one test for each step, and one for the time after the last.
  var tap: String {
    var text = "TAP version 14\n1..\(script.steps.count + 1)\n"
    for (index, step) in (script.steps.indices.map(Optional.init) + [nil]).enumerated() {
      let title = step.map { Self.escapedForTAP(script.steps[$0].title) }
      let remarks = remarks(on: step)
      let isReached = step.map { $0 < outcomes.count } ?? (outcomes.count == script.steps.count)
      let isOK = remarks.allSatisfy { $0.kind == "advice" }
      text += "\(isOK ? "ok" : "not ok") \(index + 1) - \(title ?? "after the last step")"
      if !isReached, isOK { text += " # SKIP not reached" }
      text += "\n"
      guard !remarks.isEmpty else { continue }
      text += "  ---\n"
      if let step, !isStable {
        text += "  at: \(JSONValue.string("\(script.name):\(script.line(ofStep: step))").jsonText)\n"
      }
      text += "  remarks:\n"
      for remark in remarks {
        text += "    - \(remark.kind): \(JSONValue.string(remark.text).jsonText)\n"
        if let sentence = remark.rule?.sentence { text += "      rule: \(JSONValue.string(sentence).jsonText)\n" }
      }
      text += "  ...\n"
    }
    return text
  }

  /// A title with what the protocol gives a meaning behind backslashes. (Without `replacing`, as in `Violation.Rule.table`.)
  private static func escapedForTAP(_ title: String) -> String {
    title.reduce(into: "") { text, character in
      if character == "\\" || character == "#" { text += "\\" }
      text.append(character)
    }
  }

  // MARK: JUnit

  /// The report as JUnit's XML: one case for each step, and one for the time after the last.
  var junit: String {
    var cases = ""
    var failures = 0, skipped = 0
    for step in script.steps.indices.map(Optional.init) + [nil] {
      let title = step.map { "\(script.line(ofStep: $0)): \(script.steps[$0].title)" } ?? "after the last step"
      cases += "  <testcase classname=\"\(Self.escaped(script.name))\" name=\"\(Self.escaped(title))\""
      let remarks = remarks(on: step)
      var body = ""
      for remark in remarks where remark.kind != "advice" {
        let sentence = remark.rule.map { "\n" + $0.sentence } ?? ""
        body +=
          "    <failure type=\"\(remark.kind)\" message=\"\(Self.escaped(remark.text))\">\(Self.escaped(remark.text + sentence))</failure>\n"
      }
      let advice = remarks.filter { $0.kind == "advice" }.map(\.text)
      if !body.isEmpty {
        failures += 1
      } else if step.map({ $0 >= outcomes.count }) ?? (outcomes.count < script.steps.count) {
        skipped += 1
        body += "    <skipped message=\"not reached\"/>\n"
      }
      if !advice.isEmpty { body += "    <system-out>\(Self.escaped(advice.joined(separator: "\n")))</system-out>\n" }
      cases += body.isEmpty ? "/>\n" : ">\n\(body)  </testcase>\n"
    }
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <testsuite name="\(Self.escaped(script.name))" tests="\(script.steps.count + 1)" failures="\(failures)" errors="0" skipped="\(skipped)">
      \(cases)</testsuite>

      """
  }

  private static let entities: [Unicode.Scalar: String] = [
    "&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;", "\n": "&#10;",
  ]

  private static func escaped(_ text: String) -> String {
    // XML has no control characters but the line break.
    text.unicodeScalars.map { entities[$0] ?? ($0.value < 0x20 ? "\u{fffd}" : String($0)) }.joined()
  }
}

/// A line of a report about a step.
private struct Remark {
  /// "violation", "advice", "failed" or "died".
  let kind: String
  private let message: String
  private let origin: String
  var rule: Violation.Rule?
  /// How often the step met the same.
  var count = 1
  private let isStable: Bool

  init(kind: String, text: String) {
    (self.kind, message, origin, isStable) = (kind, text, "", false)
  }

  init(_ finding: Finding, isStable: Bool) {
    let violation = finding.violation
    kind = finding.isAdvice ? "advice" : "violation"
    rule = violation.rule
    self.isStable = isStable
    if isStable {
      (message, origin) = ("", "")
    } else {
      message = ": \(violation.message)"
      origin = violation.request.map { " in request \($0.number), \($0)" } ?? ""
    }
  }

  var text: String {
    guard let rule else { return message }
    return "\(rule.rawValue)\(origin)\(message)" + (count > 1 && !isStable ? " (and \(count - 1) more)" : "")
  }
}
