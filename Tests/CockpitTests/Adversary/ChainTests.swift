import CompositorLab
import Glibc
import Linux
import TestSupport
import Testing

/// The adversary's sessions from the hand to the motor: what their consumer hears passes random radios to the programs of vehicles, the
/// files that run there, and the vehicle must do what the hands do.
@Suite(.serialized) struct ChainTests {
  private static let steps = 8000
  private static let lines = 30_000
  private static let root = "/\(#filePath.split(separator: "/").dropLast(4).joined(separator: "/"))"

  @Test(.timeLimit(.minutes(10)))
  func `a vehicle moves only while a hand holds, whatever the radio between them does`() async throws {
    let folder = try TemporaryFolder()
    let tape = "\(folder.path)/lines"
    let seed = AdversaryTests.seed
    let (status, output) = try await TestProcess.run(
      "AdversaryTests",
      environment: [
        "COCKPIT_ADVERSARY_PLAYS": "1", "COCKPIT_ADVERSARY_STEPS": "\(Self.steps)", "COCKPIT_ADVERSARY_LINES": tape,
      ])
    try #require(status == .exited(0), "\(output)")
    let chain = try await TestProcess.run(
      program: [
        "/usr/bin/env", "PYTHONPATH=\(Self.root)/bridge/src", "PYTHONDONTWRITEBYTECODE=1", "python3",
        "\(Self.root)/bridge/tests/chain.py", "\(Self.lines)", "\(seed)", "--recorded", tape,
      ])
    #expect(chain.status == .exited(0), "\(chain.output)")
    #expect(chain.output.contains(" 0 violations"), "\(chain.output)")
    print(chain.output, terminator: "")
  }
}
