import VideoReading

/// The pipelines, as GStreamer reads them, and what they are made of.
enum PipelineTexts {
  /// The Debian package of each element.
  private static let packages = [
    "rtspsrc": "gstreamer1.0-plugins-good", "udpsrc": "gstreamer1.0-plugins-good",
    "rtpjitterbuffer": "gstreamer1.0-plugins-good", "rtph264depay": "gstreamer1.0-plugins-good",
    "rtpjpegdepay": "gstreamer1.0-plugins-good", "v4l2src": "gstreamer1.0-plugins-good",
    "videoconvertscale": "gstreamer1.0-plugins-base", "appsink": "gstreamer1.0-plugins-base",
    "openh264dec": "gstreamer1.0-plugins-bad",
  ]

  /// The decoder of H.264: FFmpeg's if it is installed. One thread each: more of them would hold pictures back, one for each thread.
  private static var decoder: String {
    // The other one asks for the profile, which the parser finds.
    Pipeline.has("avdec_h264") ? "avdec_h264 max-threads=1" : "h264parse ! openh264dec"
  }

  /// Throws the package to install if an element is missing.
  static func require(_ elements: String...) throws(VideoReadError) {
    for element in elements where !Pipeline.has(element) {
      throw VideoReadError("\(element) is missing: install \(packages[element] ?? "GStreamer's plugins")")
    }
  }

  /// Throws the packages to install if there is no decoder of H.264.
  static func requireDecoder() throws(VideoReadError) {
    guard !Pipeline.has("avdec_h264") else { return }
    guard Pipeline.has("openh264dec"), Pipeline.has("h264parse") else {
      throw VideoReadError("no decoder of H.264: install gstreamer1.0-plugins-bad or gstreamer1.0-libav")
    }
  }

  /// A sink that keeps the newest alone and never waits for a clock.
  private static func sink(_ name: String) -> String {
    "appsink name=\(name) sync=false async=false max-buffers=1 drop=true enable-last-sample=false"
  }

  private static let frames =
    "videoconvertscale name=convert ! capsfilter name=filter caps=video/x-raw,format=BGRx ! \(sink("frames"))"

  /// A stream of RTSP, whose address is set later. Pictures later than 50 ms are left out.
  static var rtsp: String {
    let source = "rtspsrc name=source latency=50 drop-on-latency=true timeout=2000000 tcp-timeout=3000000"
    let video = "source. ! application/x-rtp,media=video,encoding-name="
    return "\(source) add-reference-timestamp-meta=true "
      + "\(video)H264 ! rtph264depay ! \(decoder) name=decoder ! \(frames) "
      + "\(video)JPEG ! rtpjpegdepay ! \(sink("pictures"))"
  }

  /// RTP at a socket, which is given later.
  static func udp(_ kind: RTPKind) -> String? {
    let source = "udpsrc name=source caps=\"application/x-rtp,media=video,clock-rate=90000,"
    let order = "rtpjitterbuffer latency=30 drop-on-latency=true"
    return switch kind {
    case .h264(let type):
      "\(source)encoding-name=H264,payload=\(type)\" ! \(order) ! rtph264depay ! \(decoder) name=decoder ! \(frames)"
    case .jpeg: "\(source)encoding-name=JPEG,payload=26\" ! \(order) ! rtpjpegdepay ! \(sink("pictures"))"
    case .other: nil
    }
  }

  /// A camera that compresses by itself, or one that does not.
  static func camera(compressed: Bool) -> String {
    compressed ? "v4l2src name=source ! image/jpeg ! \(sink("pictures"))" : "v4l2src name=source ! \(frames)"
  }

  /// The pixels that fit into a limit.
  static func format(_ limit: PictureLimit) -> String {
    let width = min(limit.width == 0 ? 4096 : limit.width, 4096)
    let height = min(limit.height == 0 ? 4096 : limit.height, 4096)
    return "video/x-raw,format=BGRx,width=[1,\(width)],height=[1,\(height)],pixel-aspect-ratio=1/1"
  }
}
