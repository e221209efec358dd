// A program lets go of the code that only its start needed, and runs on.

import Glibc
import Shell
import Testing

@Suite struct StartCodeTests {
  @Test func `the code is unmapped, comes back where it is used, and nothing that was written is lost`() {
    var written = (0..<1000).map { "value \($0)" }
    for _ in 0..<3 {
      #expect(StartCode.letGo() > 0)
      written.append("value \(written.count)")
    }
    #expect(written == (0..<1003).map { "value \($0)" })
  }
}
