// Owns the entry of libFuzzer for lines that others write: telemetry, and the values that records are made of.
// Must not know how it is built: scripts/fuzz.sh does.

import Glibc

/// One input: read whole as a value and as telemetry, and in pieces as a stream.
@_cdecl("LLVMFuzzerTestOneInput") func testOneInput(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  let value = LineValue(bytes)
  if let said = Telemetry(line: bytes) {
    let speed = said.speed ?? 0
    guard value != nil, abs(speed) <= 9999, (0...1).contains(said.battery ?? 0), said.warnings.count <= 4 else {
      abort()
    }
  }
  var (whole, pieces) = (TelemetryLines(), TelemetryLines())
  let newest = whole.take(bytes)
  var last: (line: String, telemetry: Telemetry)?
  for byte in bytes { last = pieces.take([byte]) ?? last }
  guard whole.count == pieces.count, whole.malformed == pieces.malformed, newest?.telemetry == last?.telemetry else {
    abort()
  }
  return 0
}
