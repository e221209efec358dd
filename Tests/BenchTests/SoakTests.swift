import Testing

@testable import cockpit_bench

/// Tests of what a soak counts and computes, without a cockpit.
@MainActor @Suite struct SoakTests {
  private func line(_ number: Int, at seconds: Double, _ state: String = "driving") -> Substring {
    #"{"v":1,"seq":\#(number),"t":\#(seconds),"gear":"3","state":"\#(state)","reason":"none"}"#
  }

  @Test func `a line is late 10 ms after its time, but not the first of a connection`() {
    var lines = SoakLines()
    lines.connect()
    lines.take(line(7, at: 1), at: 9_000_000_000)
    #expect(lines.late == 0 && lines.latest == 0 && lines.state == "driving")
    lines.take(line(8, at: 9.02), at: 9_029_000_000)
    #expect(lines.late == 0 && abs(lines.latest - 9) < 0.01)
    lines.take(line(9, at: 9.05), at: 9_061_000_000)
    #expect(lines.late == 1 && abs(lines.latest - 11) < 0.01)
    #expect(lines.longestGap == 32)
    lines.connect()
    lines.take(line(10, at: 9.1), at: 12_000_000_000)
    #expect(lines.late == 1 && lines.longestGap == 32 && lines.connections == 2)
  }

  @Test func `gaps in the numbers and unreadable lines are counted, and counts are taken once`() {
    var lines = SoakLines()
    lines.connect()
    lines.take(line(1, at: 1), at: 1_000_000_000)
    lines.take(line(4, at: 1, "safe"), at: 1_000_000_000)
    lines.take("nonsense", at: 1_000_000_000)
    let counts = lines.takeCounts()
    #expect(counts.read == 3 && counts.replaced == 2 && counts.unreadable == 1)
    lines.take(line(6, at: 1), at: 1_000_000_000)
    #expect(lines.read == 1 && lines.replaced == 1 && lines.unreadable == 0)
  }

  @Test func `the slope and its standard error are those of least squares`() throws {
    let line = try #require(LeastSquares([(0, 1), (1, 3), (2, 2), (3, 5)]))
    #expect(abs(line.slope - 1.1) < 1e-12)
    #expect(abs(line.standardError - 0.27.squareRoot()) < 1e-12)
    #expect(LeastSquares([(0, 1), (1, 3)]) == nil)
    #expect(LeastSquares([(1, 1), (1, 3), (1, 4)]) == nil)
  }

  @Test func `growth leaves out the first tenth, and a descriptor more at the end is a failure`() {
    var report = SoakReport(
      samples: (1...90).map { minute in
        var sample = SoakSample()
        (sample.seconds, sample.descriptors) = (Double(minute) * 60, 12)
        sample.pss = minute <= 9 ? 5000 : 8000 + minute
        return sample
      })
    #expect(report.growth(of: \.pss).map { abs($0.slope - 60) < 1e-9 && $0.standardError < 1e-9 } == true)
    #expect(report.failures.isEmpty)
    #expect(report.text.contains("| 1 | 8031 |") && report.text.contains("| 2 (30 min) | 8076 |"))
    report.samples[89].descriptors = 13
    report.samples[3].failures = ["no drive"]
    #expect(report.failures == ["minute 4: no drive", "13 descriptors at the end, 12 after the first minute"])
  }
}
