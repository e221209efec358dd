@testable import VideoReading

/// Bytes as servers send them, after their source code, and pictures for them.
enum VideoBytes {
  /// What looks like a JPEG picture to whoever reads markers: tables that hold an end, a thumbnail, entropy with stuffed bytes and restarts.
  static func picture(_ seed: UInt8, entropy: Int = 300, thumbnail: Bool = true) -> [UInt8] {
    var bytes: [UInt8] = [0xff, 0xd8]
    if thumbnail { bytes += segment(0xe1, [0xff, 0xd8, 1, 2, seed, 0xff, 0xd9, 0, 0xff, 0xd9]) }
    bytes += segment(0xdb, (0..<65).map { UInt8($0) &+ seed })
    bytes += [0xff, 0xff] + segment(0xc0, [8, 0, 16, 0, 16, 3]).dropFirst()
    bytes += segment(0xda, [3, 1, 0, 2, 0x11, 3, 0x11, 0, 0x3f, 0])
    for index in 0..<entropy {
      let byte = UInt8(truncatingIfNeeded: index) &* 7 &+ seed
      bytes += byte == 0xff ? [0xff, 0x00] : [byte]
      if index % 64 == 63 { bytes += [0xff, 0xd0 + UInt8(index / 64 % 8)] }
    }
    return bytes + [0xff, 0xd9]
  }

  private static func segment(_ marker: UInt8, _ content: [UInt8]) -> [UInt8] {
    [0xff, marker, UInt8((content.count + 2) >> 8), UInt8((content.count + 2) & 0xff)] + content
  }

  /// One of the servers whose bytes are known.
  enum Server: String, CaseIterable {
    case espressif, espressifOld, espressifOldBare, mjpgStreamer, webVideoServer, donkeycar, ustreamer
    case ustreamerAdvance, ustreamerExtra, ffmpeg, bareParts
  }

  /// The boundary that the head says.
  static func boundary(_ server: Server) -> String {
    switch server {
    case .espressif, .espressifOld, .espressifOldBare: StampRule.espressifBoundary
    case .donkeycar: "--boundarydonotcross"
    case .ffmpeg, .bareParts: "ffmpeg"
    default: "boundarydonotcross"
    }
  }

  /// The fields of the head after the status line.
  static func head(_ server: Server) -> String {
    let type = "Content-Type: multipart/x-mixed-replace;boundary=\(boundary(server))\r\n"
    return switch server {
    case .espressif, .espressifOld, .espressifOldBare:
      "\(type)Transfer-Encoding: chunked\r\nAccess-Control-Allow-Origin: *\r\n"
    case .mjpgStreamer: "Connection: close\r\nServer: MJPG-Streamer/0.2\r\n\(type)"
    case .webVideoServer: "Connection: close\r\nServer: web_video_server\r\n\(type)"
    case .ustreamer, .ustreamerAdvance, .ustreamerExtra: "Set-Cookie: stream_client=0/1; path=/; max-age=30\r\n\(type)"
    case .donkeycar: "Server: TornadoServer/6.4\r\n\(type)"
    case .ffmpeg, .bareParts:
      "Content-Type: multipart/x-mixed-replace;boundary=ffmpeg\r\nTransfer-Encoding: chunked\r\n"
    }
  }

  static func isChunked(_ server: Server) -> Bool { head(server).contains("chunked") }

  /// What comes before the first part.
  static func opening(_ server: Server) -> [UInt8] {
    switch server {
    case .mjpgStreamer, .webVideoServer, .ustreamer, .ustreamerExtra: Array("--boundarydonotcross\r\n".utf8)
    case .ustreamerAdvance:
      Array("--boundarydonotcross\r\nContent-Type: image/jpeg\r\nX-Timestamp: 1700000000.5\r\n\r\n".utf8)
    case .ffmpeg, .bareParts: Array("--ffmpeg\r\n".utf8)
    default: []
    }
  }

  /// A part up to the last byte of its picture, then what follows it.
  static func part(_ server: Server, _ picture: [UInt8], time: String = "12.345678") -> (upTo: [UInt8], after: [UInt8])
  {
    let (espressif, plain) = (StampRule.espressifBoundary, "boundarydonotcross")
    let head = "Content-Type: image/jpeg\r\nContent-Length: \(picture.count)\r\n"
    func bytes(_ before: String, _ after: String) -> (upTo: [UInt8], after: [UInt8]) {
      (Array(before.utf8) + picture, Array(after.utf8))
    }
    return switch server {
    case .espressif: bytes("\r\n--\(espressif)\r\n\(head)X-Timestamp: \(time)\r\n\r\n", "")
    case .espressifOld: bytes("\(head)\r\n", "\r\n--\(espressif)\r\n")
    case .espressifOldBare: bytes("\(head)\r\n", "\r\n\(espressif)\r\n")
    case .mjpgStreamer, .ustreamer: bytes("\(head)X-Timestamp: \(time)\r\n\r\n", "\r\n--\(plain)\r\n")
    case .ustreamerExtra:
      bytes(
        "\(head)X-Timestamp: \(time)\r\nX-UStreamer-Online: true\r\nX-UStreamer-Latency: 0.045000\r\n\r\n",
        "\r\n--\(plain)\r\n")
    case .ustreamerAdvance:
      bytes("", "\r\n--\(plain)\r\nContent-Type: image/jpeg\r\nX-Timestamp: \(time)\r\n\r\n")
    case .webVideoServer:
      bytes(
        "Content-type: image/jpeg\r\nX-Timestamp: \(time)\r\nContent-Length: \(picture.count)\r\n\r\n",
        "\r\n--\(plain)\r\n")
    case .donkeycar:
      bytes("--\(plain)\nContent-type: image/jpeg\r\nContent-length: \(picture.count)\r\n\r\n", "")
    case .ffmpeg: bytes("Content-type: image/jpeg\r\nContent-length: \(picture.count)\r\n\r\n", "\r\n--ffmpeg\r\n")
    case .bareParts: bytes("\r\n", "\r\n--ffmpeg\r\n")
    }
  }
}
