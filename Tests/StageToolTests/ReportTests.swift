import Stage
import Testing

@testable import StageScript

/// The three forms of a report.
@Suite struct ReportTests {
  private let script: Script
  private let violation = Violation(
    rule: .damageLies, message: "the pixel (1, 2) changed", time: .zero,
    request: ClientRequest(number: 143, interface: "wl_surface", object: 12, name: "commit"))

  init() throws {
    script = try Script(
      Array("[\n{do: \"window\"},\n{do: \"advance\", ms: 16},\n{do: \"clipboard\", text: \"<#&\"}\n]".utf8),
      name: "a.json")
  }

  private func report(_ outcomes: [Report.Outcome], _ findings: [Finding], death: String? = nil, isStable: Bool = false)
    -> Report
  {
    Report(script: script, outcomes: outcomes, findings: findings, death: death, isStable: isStable)
  }

  @Test func `a violation names the rule, the request, the sentence and the line`() {
    let findings = [
      Finding(violation: violation, step: 1, isAdvice: false), Finding(violation: violation, step: 1, isAdvice: false),
    ]
    let report = report([.done([:]), .done([:]), .done([:])], findings)
    #expect(report.exitCode == 1)
    #expect(
      report.text == """
        a.json:3: violation: damageLies in request 143, wl_surface@12.commit: the pixel (1, 2) changed (and 1 more)
            Damage covers every pixel that differs from the previous picture.
        failed: 3 of 3 steps carried out, 2 violations, 0 pieces of advice

        """)
    #expect(
      self.report([.done([:]), .done([:]), .done([:])], findings, isStable: true).text.contains(
        "a.json: violation: damageLies\n"))
  }

  @Test func `the exit code says what went wrong`() {
    #expect(report([.done([:]), .done([:]), .done([:])], []).exitCode == 0)
    #expect(
      report([.done([:]), .done([:]), .done([:])], [Finding(violation: violation, step: 0, isAdvice: true)]).exitCode
        == 0)
    #expect(
      report(
        [.done([:]), .done([:]), .done([:])],
        [Finding(violation: violation, step: 0, isAdvice: false, isExpected: true)]
      ).exitCode == 0)
    #expect(report([.done([:]), .failed("no")], []).exitCode == 1)
    #expect(report([.done([:])], [], death: "the client ended with 3").exitCode == 2)
    #expect(report([.done([:])], [Finding(violation: violation, step: 0, isAdvice: false)], death: "").exitCode == 1)
  }

  @Test func `TAP has a test for each step and one for the end`() {
    let report = report([.done([:]), .failed("too late")], [Finding(violation: violation, step: 0, isAdvice: true)])
    #expect(
      report.tap == """
        TAP version 14
        1..4
        ok 1 - window
          ---
          at: "a.json:2"
          remarks:
            - advice: "damageLies in request 143, wl_surface@12.commit: the pixel (1, 2) changed"
              rule: "Damage covers every pixel that differs from the previous picture."
          ...
        not ok 2 - advance ms 16
          ---
          at: "a.json:3"
          remarks:
            - failed: "advance: too late"
          ...
        ok 3 - clipboard text <\\#& # SKIP not reached
        ok 4 - after the last step # SKIP not reached

        """)
  }

  @Test func `JUnit's XML is escaped`() {
    let report = report(
      [.done([:]), .done([:])], [Finding(violation: violation, step: 1, isAdvice: false)],
      death: "the client ended with 3")
    #expect(
      report.junit == """
        <?xml version="1.0" encoding="UTF-8"?>
        <testsuite name="a.json" tests="4" failures="2" errors="0" skipped="1">
          <testcase classname="a.json" name="2: window"/>
          <testcase classname="a.json" name="3: advance ms 16">
            <failure type="violation" message="damageLies in request 143, wl_surface@12.commit: the pixel (1, 2) changed">damageLies in request 143, wl_surface@12.commit: the pixel (1, 2) changed&#10;Damage covers every pixel that differs from the previous picture.</failure>
          </testcase>
          <testcase classname="a.json" name="4: clipboard text &lt;#&amp;">
            <failure type="died" message="the client ended with 3">the client ended with 3</failure>
          </testcase>
          <testcase classname="a.json" name="after the last step">
            <skipped message="not reached"/>
          </testcase>
        </testsuite>

        """)
  }
}
