// Owns what must hold for the readers of video: what cameras and servers send, and what the cockpit and its helper say to each other.

@testable import VideoLink
@testable import VideoReading

/// Read as an HTTP response, as parts and as pictures, whole and byte by byte: both give the same.
func readStream(_ bytes: [UInt8]) {
  require(
    responseContent(bytes, pieces: bytes.count) == responseContent(bytes, pieces: 1), "pieces say what the whole says")
  require(parts(bytes, pieces: bytes.count) == parts(bytes, pieces: 1), "pieces have the parts of the whole")
  require(parts(bytes, pieces: bytes.count) == parts(bytes, pieces: 7), "pieces have the parts of the whole")
  var (whole, single) = (JPEGStreamReader(), JPEGStreamReader())
  require(
    pictures(bytes, bytes.count) { try? whole.next(&$0) } == pictures(bytes, 1) { try? single.next(&$0) },
    "pieces have the pictures of the whole")
  _ = (RTPKind(packet: bytes[...]), StampRule.nanoseconds(String(decoding: bytes, as: UTF8.self)))
  if let source = try? VideoSource(String(decoding: bytes, as: UTF8.self)), case .http(let address) = source {
    require(address.request.hasSuffix("\r\n\r\n") && !address.host.isEmpty, "a request has a host and an end")
    require(address.request.split(separator: "\r\n").count <= 6, "an address adds no field to its request")
  }
}

/// The pictures that `next` finds in bytes that come in pieces.
private func pictures(
  _ bytes: [UInt8], _ pieces: Int, next: (inout ArraySlice<UInt8>) -> EncodedPicture??
) -> [EncodedPicture] {
  var (found, rest) = ([EncodedPicture](), bytes[...])
  while !rest.isEmpty {
    var piece = rest.prefix(max(pieces, 1))
    rest = rest.dropFirst(piece.count)
    while let picture = next(&piece) ?? nil { found.append(picture) }
  }
  return found
}

/// What is read of parts, up to what can't be read any further.
private func parts(_ bytes: [UInt8], pieces: Int) -> [EncodedPicture] {
  var (reader, hasFailed) = (MultipartReader(), false)
  return pictures(bytes, pieces) { input in
    guard !hasFailed else { return nil }
    do throws(VideoReadError) { return try reader.next(&input) } catch {
      hasFailed = true
      return nil
    }
  }
}

/// The content of a response, up to what is none.
private func responseContent(_ bytes: [UInt8], pieces: Int) -> [UInt8] {
  var (reader, content, rest) = (HTTPReader(), [UInt8](), bytes[...])
  while !rest.isEmpty {
    var piece = rest.prefix(max(pieces, 1))
    rest = rest.dropFirst(piece.count)
    do throws(VideoReadError) {
      while let next = try reader.next(&piece) {
        switch next {
        case .head: break
        case .content(let part): content += part
        case .end: return content
        }
      }
    } catch { return content }
  }
  return content
}

/// Read as a report and as a request: what is read is written as it was.
func readVideoMessage(_ bytes: [UInt8]) {
  if let report = VideoReport(bytes) {
    require(report.bytes == bytes && bytes.count <= VideoReport.mostBytes, "a report is written as it was read")
    if case .ring(let ring) = report { require(ring.byteCount <= 1 << 29, "a ring has a limit") }
  }
  if let request = VideoRequest(bytes) {
    require(request.bytes == bytes && bytes.count <= VideoRequest.mostBytes, "a request is written as it was read")
  }
}
