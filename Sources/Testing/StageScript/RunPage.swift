import Stage

/// The page of a run: one HTML file for people, without scripts and without anything from elsewhere.
struct RunPage {
  /// What stands in the file until the run has ended.
  static let unfinished =
    "<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\"><title>stage: no result</title>\n<p>This run of <code>stage</code> has not ended. It goes on, or it was killed.</p></html>\n"
  /// How many steps the table has at its beginning and at its end.
  private static let (firstSteps, lastSteps) = (500, 500)

  private let account: RunAccount
  private let ending: RunWatcher.Ending
  /// The first unexpected violation of each rule, in the order in which the client broke them, and how often it did.
  private let problems: [Group], advice: [Group]
  private var page = HTMLText()

  private struct Group {
    let first: Finding
    var count = 1
    var rule: Violation.Rule { first.violation.rule }
    /// Its place on the page. What is advice at first may end a connection later.
    var place: String { first.isAdvice ? "advice-\(rule.rawValue)" : rule.rawValue }
  }

  init(_ account: RunAccount, _ ending: RunWatcher.Ending) {
    (self.account, self.ending) = (account, ending)
    let unexpected = ending.findings.filter { !$0.isExpected }
    problems = Self.groups(unexpected.filter { !$0.isAdvice })
    advice = Self.groups(unexpected.filter(\.isAdvice))
  }

  private static func groups(_ findings: [Finding]) -> [Group] {
    findings.reduce(into: []) { groups, finding in
      if let index = groups.firstIndex(where: { $0.rule == finding.violation.rule }) {
        groups[index].count += 1
      } else {
        groups.append(Group(first: finding))
      }
    }
  }

  /// A number with at most one digit after the point.
  static func number(_ value: Double) -> String {
    let tenths = Int((value * 10).rounded())
    return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
  }

  private func milliseconds(_ duration: Duration) -> String { Self.number(duration.inSeconds * 1000) + " ms" }

  // MARK: The page

  /// The whole file.
  var html: String {
    var copy = self
    copy.write()
    return copy.page.source
  }

  private mutating func write() {
    page.put(
      """
      <!doctype html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      """)
    page.put("\n<title>", "\(verdict): \(account.name) - stage", "</title>\n<style>\n")
    page.put(Self.style)
    page.put("\n</style>\n</head>\n<body>\n<header>\n")
    page.put(isBad ? "<h1><span class=\"bad\">" : "<h1><span class=\"good\">", verdict, "</span> ")
    page.put("<span>", account.name, "</span></h1>\n")
    page.put("<p>", summary, "</p>\n<dl>\n")
    for fact in account.facts {
      page.put("<dt>", fact.name, "</dt>")
      page.put("<dd>", fact.value, "</dd>\n")
    }
    page.put("</dl>\n</header>\n")
    putContents()
    page.put("<main>\n")
    putProblems()
    putFilm()
    putSteps()
    putShots()
    putAdvice()
    putOutput()
    page.put("</main>\n</body>\n</html>\n")
  }

  private var isBad: Bool { ending.exitCode != 0 }
  private var failure: (step: Int, failure: RunAccount.Failure)? {
    account.steps.indices.lazy.compactMap { index in account.steps[index].failure.map { (index, $0) } }.first
  }
  private var hasProblems: Bool { !problems.isEmpty || failure != nil || ending.death != nil || ending.signal != nil }

  /// The result in a word or two. What a controller in another language expects beside its steps is not known here.
  private var verdict: String {
    if ending.signal != nil { return "Interrupted" }
    if !ending.hasStarted { return "Not started" }
    switch ending.exitCode {
    case 0: return account.plan == nil ? "No complaint" : "Passed"
    case 1: return "Failed"
    default: return "Died"
    }
  }

  private var summary: String {
    Report.counts(
      done: account.steps.count { $0.length != nil }, of: account.plan?.count,
      violations: problems.reduce(0) { $0 + $1.count }, advice: advice.reduce(0) { $0 + $1.count })
  }

  private mutating func putContents() {
    page.put("<nav aria-label=\"Parts of this page\"><ul>\n")
    if hasProblems { page.put("<li><a href=\"#problems\">What went wrong</a></li>\n") }
    if account.filmPicture != nil || account.film != nil { page.put("<li><a href=\"#film\">The film</a></li>\n") }
    page.put("<li><a href=\"#steps\">Steps</a></li>\n")
    if !account.shots.isEmpty { page.put("<li><a href=\"#shots\">Screenshots</a></li>\n") }
    if !advice.isEmpty { page.put("<li><a href=\"#advice\">Advice</a></li>\n") }
    page.put("<li><a href=\"#output\">What the client printed</a></li>\n</ul></nav>\n")
  }

  // MARK: What went wrong

  private mutating func putProblems() {
    guard hasProblems else { return }
    page.put("<section id=\"problems\">\n<h2>What went wrong</h2>\n")
    if let signal = ending.signal {
      page.put(
        "<article>\n<h3>interrupted</h3>\n<p>", "The signal \(signal) has ended the stage.", "</p>\n</article>\n")
    }
    if let death = ending.death {
      page.put(
        ending.hasStarted ? "<article>\n<h3>died</h3>\n<p>" : "<article>\n<h3>not started</h3>\n<p>", death, "</p>\n")
      if let last = account.last {
        page.put("<div class=\"pictures\">\n")
        put(last, "the last picture")
        page.put("</div>\n")
      }
      page.put("</article>\n")
    }
    if let failure {
      page.put("<article>\n<h3>failed: ", account.steps[failure.step].title, "</h3>\n")
      page.put("<p>", failure.failure.message, "</p>\n")
      putPlace(of: failure.step)
      if let picture = failure.failure.picture {
        page.put("<div class=\"pictures\">\n")
        put(picture, "what was shown then")
        page.put("</div>\n")
      }
      page.put("</article>\n")
    }
    for group in problems { put(group) }
    page.put("</section>\n")
  }

  private mutating func put(_ group: Group) {
    let violation = group.first.violation
    page.put("<article id=\"", group.place, "\">\n")
    page.put(group.first.isAdvice ? "<h3>advice: " : "<h3>violation: ", violation.rule.rawValue, "")
    if group.count > 1 { page.put(" <small>", "\(group.count) times; this is the first", "</small>") }
    page.put("</h3>\n<blockquote>", violation.rule.sentence, "</blockquote>\n")
    page.put("<p>", violation.message, "</p>\n")
    if let request = violation.request {
      page.put("<p>In <code>", "\(request)", "</code>, ")
      page.put("the request ", "\(request.number)", " of the client, ")
    } else {
      page.put("<p>In no single request, ")
    }
    page.put("", milliseconds(violation.time - account.start), " after the start by the stage's clock.</p>\n")
    putPlace(of: group.first.step)
    putEvidence(of: violation.rule)
    page.put("</article>\n")
  }

  private mutating func putEvidence(of rule: Violation.Rule) {
    guard let evidence = account.evidence[rule] else { return }
    page.put("<div class=\"pictures\">\n")
    if let before = evidence.before {
      put(before, "the last picture before it")
    } else {
      page.put("<p>Nothing was shown before it.</p>\n")
    }
    if let after = evidence.after {
      put(after, "the first picture after it")
    } else {
      page.put("<p>Nothing was shown after it.</p>\n")
    }
    page.put("</div>\n")
  }

  /// Says which step it was.
  private mutating func putPlace(of step: Int?) {
    guard let step, account.steps.indices.contains(step) else {
      return page.put("<p>Before the first step or after the last.</p>\n")
    }
    page.put("<p>During <a href=\"#step-")
    page.put(number: step + 1)
    page.put("\">step ", "\(step + 1)", "</a>, ")
    page.put("<code>", account.steps[step].title, "</code>.</p>\n")
  }

  // MARK: Pictures

  private mutating func put(_ picture: RunAccount.Picture, _ words: String) {
    page.put("<figure>")
    switch picture.content {
    case .png(let bytes):
      page.put("<img width=\"")
      page.put(number: picture.size.width)
      page.put("\" height=\"")
      page.put(number: picture.size.height)
      page.put("\" alt=\"", words, "\" src=\"")
      page.put(png: bytes)
      page.put("\">")
    case .leftOut(let path):
      page.put("<p>", path.map { "not in this page: \($0)" } ?? "not in this page, which has too many pictures", "</p>")
    }
    page.put("<figcaption>", words, "")
    if !picture.size.isEmpty { page.put(", ", "\(picture.size.width) x \(picture.size.height)", "") }
    page.put("</figcaption></figure>\n")
  }

  private mutating func putFilm() {
    guard account.filmPicture != nil || account.film != nil else { return }
    page.put("<section id=\"film\">\n<h2>The film</h2>\n")
    if let words = account.film { page.put("<p>", words, "</p>\n") }
    if let picture = account.filmPicture {
      // It moves for ever: who opens it wants that.
      page.put("<details><summary>Play the film</summary>\n")
      put(picture, "what the windows showed, by the stage's clock")
      page.put("</details>\n")
    }
    page.put("</section>\n")
  }

  private mutating func putShots() {
    guard !account.shots.isEmpty else { return }
    page.put("<section id=\"shots\">\n<h2>Screenshots</h2>\n")
    for shot in account.shots {
      page.put("<article>\n<h3>", shot.name, "</h3>\n")
      if let reference = shot.reference {
        page.put(
          shot.isEqual ? "<p>Equals <code>" : "<p class=\"bad\">Differs from <code>", reference, "</code>.</p>\n")
      }
      page.put("<div class=\"pictures\">\n")
      if let expected = shot.expected { put(expected, "expected") }
      if let new = shot.new { put(new, shot.isEqual ? "screenshot" : "actual") }
      if let difference = shot.difference { put(difference, "difference") }
      page.put("</div>\n</article>\n")
    }
    page.put("</section>\n")
  }

  // MARK: Steps

  private mutating func putSteps() {
    page.put("<section id=\"steps\">\n<h2>Steps</h2>\n")
    let count = max(account.plan?.count ?? 0, account.steps.count)
    guard count > 0 else { return page.put("<p>There was no step.</p>\n</section>\n") }
    page.put(
      "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"Steps\"><table>\n<thead><tr><th scope=\"col\">step</th>"
    )
    if account.plan != nil { page.put("<th scope=\"col\">line</th>") }
    page.put(
      "<th scope=\"col\">what it does</th><th scope=\"col\">at</th><th scope=\"col\">takes</th><th scope=\"col\">in real time</th><th scope=\"col\">result</th></tr></thead>\n<tbody>\n"
    )
    for index in 0..<count {
      if index == Self.firstSteps, count > Self.firstSteps + Self.lastSteps {
        let omitted = count - Self.firstSteps - Self.lastSteps
        page.put("<tr><td colspan=\"7\">", "\(omitted) steps are left out", "</td></tr>\n")
      }
      guard index < Self.firstSteps || index >= count - Self.lastSteps else { continue }
      putStep(index)
    }
    page.put("</tbody></table></div>\n</section>\n")
  }

  private mutating func putStep(_ index: Int) {
    let step = account.steps.indices.contains(index) ? account.steps[index] : nil
    let planned = account.plan.flatMap { $0.indices.contains(index) ? $0[index] : nil }
    page.put("<tr id=\"step-")
    page.put(number: index + 1)
    page.put("\"><td class=\"number\">", "\(index + 1)", "</td>")
    if account.plan != nil { page.put("<td class=\"number\">", planned.map { "\($0.line)" } ?? "", "</td>") }
    page.put("<td><code>", step?.title ?? planned?.title ?? "", "</code></td>")
    page.put("<td class=\"number\">", step.map { milliseconds($0.begin - account.start) } ?? "", "</td>")
    page.put("<td class=\"number\">", step?.length.map { milliseconds($0.stage) } ?? "", "</td>")
    page.put("<td class=\"number\">", step?.length.map { milliseconds($0.real) } ?? "", "</td><td>")
    if let failure = step?.failure {
      page.put("<span class=\"bad\">failed</span>: ", failure.message, "")
    } else if step == nil {
      page.put("not reached")
    } else {
      page.put(step?.length == nil ? "<span class=\"bad\">not ended</span>" : "done")
    }
    let broken = ending.findings.filter { $0.step == index && !$0.isExpected }
    for group in Self.groups(broken) {
      page.put(group.first.isAdvice ? ", <a href=\"#" : ", <a class=\"bad\" href=\"#", group.place, "\">")
      page.put(group.first.isAdvice ? "advice: " : "violation: ", group.rule.rawValue, "</a>")
    }
    page.put("</td></tr>\n")
  }

  // MARK: The rest

  private mutating func putAdvice() {
    guard !advice.isEmpty else { return }
    page.put(
      "<section id=\"advice\">\n<h2>Advice</h2>\n<p>What the specification permits, and still is a waste or looks bad.</p>\n"
    )
    for group in advice { put(group) }
    page.put("</section>\n")
  }

  private mutating func putOutput() {
    page.put("<section id=\"output\">\n<h2>What the client printed</h2>\n")
    let (head, omitted, tail) = account.output
    if head.isEmpty {
      page.put("<p>Nothing.</p>\n")
    } else {
      page.put("<pre tabindex=\"0\" role=\"region\" aria-label=\"What the client printed\">\n", head, "</pre>\n")
    }
    if omitted > 0 {
      page.put("<p>", "\(omitted) bytes are left out here.", "</p>\n")
      page.put("<pre tabindex=\"0\" role=\"region\" aria-label=\"The end of what it printed\">\n", tail, "</pre>\n")
    }
    page.put("</section>\n")
  }

  private static let style: StaticString = """
    :root { color-scheme: light dark; --ink: #1b1f24; --paper: #ffffff; --faint: #57606a; --line: #d0d7de; --soft: #f3f5f7;
      --bad: #a8201a; --good: #1a6b2c; --link: #0b57a8; }
    @media (prefers-color-scheme: dark) { :root { --ink: #e6edf3; --paper: #12161c; --faint: #a3adb8; --line: #3a444f; --soft: #1b222b;
      --bad: #ff9489; --good: #7bd894; --link: #8fc2ff; } }
    * { box-sizing: border-box; }
    body { margin: 0 auto; max-width: 75rem; padding: 1rem 1.25rem 3rem; background: var(--paper); color: var(--ink);
      font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
    h1 { font-size: 1.6rem; line-height: 1.25; margin: .5rem 0; }
    h1 span, dd, code, blockquote, td, figcaption { unicode-bidi: isolate; }
    h2 { font-size: 1.25rem; margin: 2rem 0 .5rem; }
    h3 { font-size: 1rem; margin: 0 0 .5rem; }
    small, figcaption, dt { color: var(--faint); }
    a { color: var(--link); }
    :focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
    .bad { color: var(--bad); font-weight: 600; }
    .good { color: var(--good); font-weight: 600; }
    dl { display: grid; grid-template-columns: max-content 1fr; gap: .15rem 1rem; margin: .75rem 0; }
    dd { margin: 0; }
    nav ul { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; padding: 0; list-style: none; }
    article { border: 1px solid var(--line); border-radius: .4rem; padding: .75rem 1rem; margin: .75rem 0; }
    article p { margin: .25rem 0; }
    blockquote { margin: 0 0 .5rem; padding-left: .75rem; border-left: .25rem solid var(--line); }
    code, pre { font-family: ui-monospace, monospace; font-size: .9em; }
    pre { background: var(--soft); padding: .75rem; max-height: 30rem; overflow: auto; white-space: pre-wrap; }
    .wide { overflow-x: auto; }
    table { border-collapse: collapse; width: 100%; }
    th, td { text-align: left; vertical-align: top; padding: .3rem .6rem; border-bottom: 1px solid var(--line); }
    th { white-space: nowrap; }
    td.number { text-align: right; white-space: nowrap; }
    :target { background: var(--soft); }
    .pictures { display: flex; flex-wrap: wrap; gap: 1rem; margin-top: .75rem; align-items: flex-start; }
    figure { margin: 0; max-width: calc(50% - .5rem); }
    figure img { max-width: 100%; height: auto; border: 1px solid var(--line); display: block; background: #808080; }
    details figure { max-width: 100%; }
    @media (max-width: 45rem) { figure { max-width: 100%; } }
    @media print {
      :root { --ink: #000000; --paper: #ffffff; --faint: #444444; --line: #999999; --soft: #ffffff; --bad: #000000; --good: #000000;
        --link: #000000; }
      nav { display: none; }
      pre { max-height: none; border: 1px solid var(--line); }
      article, figure, tr { break-inside: avoid; }
    }
    """
}
