import TestSupport
import Testing

@testable import DriveLink

/// Tests of lines that others write: telemetry, bytes in any pieces.
@Suite struct TelemetryTests {
  private func telemetry(_ line: String) -> Telemetry? { Telemetry(line: Array(line.utf8)) }

  @Test func `a line tells what it tells, the rest is not known`() throws {
    let all = try #require(
      telemetry(
        #"{"v":1,"speed":-12.5,"battery":0.5,"linkAge":0.04,"warnings":["MOTOR HOT","",3e0]}"#.replacing(
          "3e0", with: "\"b\"")))
    #expect(all.speed == -12.5 && all.battery == 0.5 && all.linkAge == 0.04 && all.warnings == ["MOTOR HOT", "b"])
    let none = try #require(telemetry(#"{"speed":null,"other":[{}]}"#))
    #expect(none.speed == nil && none.battery == nil && none.warnings.isEmpty)
  }

  @Test func `a line takes the place of what it says, unknown or not, and of nothing else`() throws {
    var known = Telemetry()
    for (line, speed, battery) in [
      (#"{"speed":1,"battery":0.5}"#, 1.0, 0.5), (#"{"speed":2}"#, 2, 0.5), (#"{"battery":null}"#, 2, nil),
      (#"{}"#, 2, nil),
    ] as [(String, Double?, Double?)] {
      let new = try #require(telemetry(line))
      known.take(new.fields, of: new)
      #expect(known.speed == speed && known.battery == battery, "\(line)")
    }
    known.take(.all, of: Telemetry())
    #expect(known == Telemetry())
  }

  @Test func `the end of a datagram ends a line too, and each may hold several`() throws {
    var lines = TelemetryLines()
    #expect(lines.take(datagram: Array(#"{"speed":1}"#.utf8))?.speed == 1)
    #expect(lines.take(datagram: Array("{\"speed\":2}\n{\"speed\":3}".utf8))?.speed == 3)
    #expect(lines.take(datagram: Array("{\"speed\":4}\n".utf8))?.line == "{\"speed\":4.0}")
    #expect(lines.take(datagram: Array("{\"speed\":5}\nnonsense".utf8))?.speed == 5)
    #expect(lines.take(datagram: []) == nil && lines.count == 5)
    #expect(lines.malformed == 1 && lines.firstMalformed == "nonsense")
  }

  @Test func `lines of one batch are one: what the later ones leave out stays`() throws {
    var lines = TelemetryLines()
    let taken = lines.take(
      datagram: Array("{\"battery\":0.55,\"speed\":1}\n{\"speed\":12.5}\n{\"linkAge\":null}".utf8))
    let batch = try #require(taken)
    #expect(batch.speed == 12.5 && batch.battery == 0.55 && batch.fields == [.speed, .battery, .linkAge])
    #expect(batch.line == #"{"speed":12.5,"battery":0.55,"linkAge":null}"#)
    #expect(telemetry(batch.line) == batch)
  }

  @Test func `a reader that has no more time skips whole lines, and counts none of them as wrong`() {
    var lines = TelemetryLines()
    var asked = 0
    let flood = Array(String(repeating: "{\"speed\":1}\n", count: 1000).utf8) + Array("{\"sp".utf8)
    let some = lines.take(flood) {
      asked += 1
      return asked >= 10
    }
    #expect(some?.speed == 1 && lines.count == 10 && asked == 10)
    #expect(lines.take(Array("eed\":2}\n{\"speed\":3}\n".utf8))?.speed == 3 && lines.malformed == 0)
  }

  @Test(arguments: [
    #"{"speed":"1","battery":0.5,"warnings":["MOTOR HOT"]}"#, #"{"speed":NaN,"battery":0.5,"warnings":["MOTOR HOT"]}"#,
    #"{"speed":-Infinity,"battery":0.5,"warnings":["MOTOR HOT",1]}"#,
    #"{"speed":1e5,"battery":0.5,"linkAge":-1,"warnings":["MOTOR HOT"]}"#,
  ])
  func `a bad value is unknown, and hides nothing else`(line: String) throws {
    let read = try #require(telemetry(line))
    #expect(read.speed == nil && read.fields.contains(.speed) && read.hasBadValues)
    #expect(read.battery == 0.5 && read.warnings == ["MOTOR HOT"])
    #expect(telemetry(#"{"warnings":["NaN \" Infinity"],"speed":NaN}"#)?.warnings == [#"NaN " Infinity"#])
  }

  @Test func `warnings are few, short, and on one line, whatever is in them`() throws {
    let long = String(repeating: "x", count: 500)
    let line = #"{"warnings":["a\u0000b\nc\u202e","\#(long)","3","4","5"]}"#
    let warnings = try #require(telemetry(line)).warnings
    #expect(warnings == ["a b c ", String(repeating: "x", count: 40), "3", "4"])
  }

  nonisolated static let none = ["", "1", "[]", #"{"speed":1"#, #"{"speed":NaN"#]
  nonisolated static let bad = [
    #"{"speed":"1"}"#, #"{"speed":10000}"#, #"{"battery":1.01}"#, #"{"battery":-0.1}"#, #"{"battery":true}"#,
    #"{"linkAge":-1}"#, #"{"warnings":"a"}"#, #"{"warnings":[1]}"#,
  ]

  @Test(arguments: none) func `a line that is none`(line: String) { #expect(telemetry(line) == nil) }

  @Test(arguments: bad) func `a line with a bad value`(line: String) { #expect(telemetry(line)?.hasBadValues == true) }

  @Test func `the schema says the same`() throws {
    let schema = try SchemaValidator("telemetry.schema.json")
    for line in TelemetryTests.none + TelemetryTests.bad { #expect(!schema.mistakes(inText: line).isEmpty, "\(line)") }
    for line in [#"{}"#, #"{"speed":null}"#, #"{"speed":9999,"battery":1,"linkAge":0,"warnings":["a"],"more":1}"#] {
      #expect(schema.mistakes(inText: line).isEmpty && telemetry(line) != nil, "\(line)")
    }
  }

  @Test func `lines come in any pieces, the newest counts, the others are counted`() {
    let text =
      "{\"speed\":1}\n\nnonsense\n{\"speed\":2}\r\n" + String(repeating: "y", count: 9000)
      + "\n{\"speed\":3}\n{\"speed\":4"
    for size in [1, 2, 7, 100, 100_000] {
      var lines = TelemetryLines()
      var speeds: [Double?] = []
      var rest = Array(text.utf8)[...]
      while !rest.isEmpty {
        if let newest = lines.take(rest.prefix(size)) { speeds.append(newest.speed) }
        rest = rest.dropFirst(size)
      }
      #expect(speeds.last == 3 && lines.count == 3 && lines.malformed == 2, "pieces of \(size)")
      if size == 1 { #expect(speeds == [1, 2, 3]) }
      lines.cut()
      #expect(lines.malformed == 3)
      #expect(lines.take(Array("{\"speed\":5}\n".utf8))?.speed == 5)
    }
  }

  @Test func `a line that was given up for want of time ends with its stream`() {
    var lines = TelemetryLines()
    #expect(lines.take(Array("{\"speed\":1}\n{\"spe".utf8), until: { true })?.speed == 1)
    lines.cut()
    #expect(lines.malformed == 0)
    #expect(lines.take(Array("{\"speed\":2}\n".utf8))?.speed == 2)
  }
}
