import CGStreamer
import CLinux
import Glibc
import Linux
import Synchronization
import UICore
import VideoReading

/// A running pipeline of GStreamer that ends in one or two sinks: `frames` for pixels, `pictures` for JPEG.
///
/// Its threads only count: the process's one loop takes what they have made.
@safe final class Pipeline {
  /// What it has made or met.
  enum Event {
    case frame(Sample)
    case picture(Sample)
    case failed(VideoReadError)
  }

  /// Becomes readable with a sample.
  let event: Descriptor
  /// Becomes readable with a message.
  private(set) var busFile: Int32 = -1
  private let pipeline: UnsafeMutablePointer<GstElement>
  private let bus: UnsafeMutablePointer<GstBus>
  private let frames, pictures: UnsafeMutablePointer<GstElement>?
  private let decoderInput = DecoderInput()

  /// Starts GStreamer. Throws if it can't be.
  static func begin() throws(VideoReadError) {
    guard gst_init_check(nil, nil, nil) != 0 else { throw VideoReadError("GStreamer does not start") }
  }

  /// Whether there is an element of that kind.
  static func has(_ element: String) -> Bool {
    guard let factory = unsafe gst_element_factory_find(element) else { return false }
    unsafe gst_object_unref(UnsafeMutableRawPointer(factory))
    return true
  }

  /// Makes the pipeline of `description` and lets it run after `prepare` has set what does not stand in the text.
  init(_ description: String, prepare: (Pipeline) throws(VideoReadError) -> Void) throws(VideoReadError) {
    guard let event = Descriptor(eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))) else {
      throw VideoReadError("no descriptor: \(systemMessage(errno))")
    }
    var error: UnsafeMutablePointer<GError>?
    guard let made = unsafe gst_parse_launch(description, &error), let bus = unsafe gst_element_get_bus(made) else {
      throw unsafe Self.failure(error)
    }
    if let error = unsafe error { unsafe g_error_free(error) }
    self.event = event
    unsafe pipeline = unsafe made
    unsafe self.bus = unsafe bus
    unsafe frames = unsafe cockpit_gst_named(made, "frames")
    unsafe pictures = unsafe cockpit_gst_named(made, "pictures")
    busFile = unsafe cockpit_gst_bus_file(bus)
    if let frames = unsafe frames { unsafe cockpit_gst_watch(frames, self.event.number) }
    if let pictures = unsafe pictures { unsafe cockpit_gst_watch(pictures, self.event.number) }
    watchDecoder()
    try prepare(self)
    _ = unsafe gst_element_set_state(pipeline, GST_STATE_PLAYING)
  }

  deinit {
    _ = unsafe gst_element_set_state(pipeline, GST_STATE_NULL)
    if let frames = unsafe frames { unsafe gst_object_unref(frames) }
    if let pictures = unsafe pictures { unsafe gst_object_unref(pictures) }
    unsafe gst_object_unref(bus)
    unsafe gst_object_unref(pipeline)
  }

  /// Sets a property of a named element.
  func set(_ element: String, _ property: String, _ value: String) {
    guard let found = unsafe cockpit_gst_named(pipeline, element) else { return }
    unsafe cockpit_gst_set_text(found, property, value)
    unsafe gst_object_unref(found)
  }

  /// Sets the format that a named filter lets through.
  func filter(_ element: String, _ format: String) {
    guard let found = unsafe cockpit_gst_named(pipeline, element) else { return }
    unsafe cockpit_gst_set_caps(found, format)
    unsafe gst_object_unref(found)
  }

  /// Gives a named element a bound socket.
  func give(_ element: String, socket: consuming Descriptor) throws(VideoReadError) {
    guard let found = unsafe cockpit_gst_named(pipeline, element) else { return }
    defer { unsafe gst_object_unref(found) }
    guard unsafe cockpit_gst_set_socket(found, socket.take()) != 0 else {
      throw VideoReadError("no socket: \(systemMessage(errno))")
    }
  }

  /// The next thing that has happened; nil if there is none.
  func next() -> Event? {
    while let message = unsafe gst_bus_pop(bus) {
      defer { unsafe cockpit_gst_message_free(message) }
      switch unsafe cockpit_gst_message_type(message) {
      case GST_MESSAGE_ERROR:
        var error: UnsafeMutablePointer<GError>?
        var detail: UnsafeMutablePointer<gchar>?
        unsafe gst_message_parse_error(message, &error, &detail)
        defer { unsafe g_free(detail) }
        return unsafe .failed(Self.failure(error, detail))
      case GST_MESSAGE_EOS: return .failed(VideoReadError("the stream has ended"))
      default: break
      }
    }
    var count: eventfd_t = 0
    _ = unsafe eventfd_read(event.number, &count)
    if let sink = unsafe frames, let sample = unsafe cockpit_gst_take(sink) {
      return unsafe .frame(Sample(sample, decoderInput, base: cockpit_gst_base_time(pipeline)))
    }
    if let sink = unsafe pictures, let sample = unsafe cockpit_gst_take(sink) {
      return unsafe .picture(Sample(sample, decoderInput, base: cockpit_gst_base_time(pipeline)))
    }
    return nil
  }

  /// Notes when each encoded picture comes to the decoder, which may hold it for a while.
  private func watchDecoder() {
    guard let decoder = unsafe cockpit_gst_named(pipeline, "decoder") else { return }
    defer { unsafe gst_object_unref(decoder) }
    guard let pad = unsafe gst_element_get_static_pad(decoder, "sink") else { return }
    defer { unsafe gst_object_unref(pad) }
    let held = unsafe Unmanaged.passRetained(decoderInput)
    unsafe gst_pad_add_probe(
      pad, GST_PAD_PROBE_TYPE_BUFFER,
      { _, info, user in
        if let info = unsafe info, let user = unsafe user, let buffer = unsafe cockpit_gst_probed_buffer(info) {
          unsafe Unmanaged<DecoderInput>.fromOpaque(user).takeUnretainedValue()
            .note(cockpit_gst_time(buffer), Int(gst_buffer_get_size(buffer)))
        }
        return GST_PAD_PROBE_OK
      }, held.toOpaque(),
      { user in if let user = unsafe user { unsafe Unmanaged<DecoderInput>.fromOpaque(user).release() } })
  }

  /// An error in one line: what it is, and the last line of its detail, which often says why.
  private static func failure(
    _ error: UnsafeMutablePointer<GError>?, _ detail: UnsafeMutablePointer<gchar>? = nil
  ) -> VideoReadError {
    guard let error = unsafe error else { return VideoReadError("GStreamer fails") }
    defer { unsafe g_error_free(error) }
    let text = unsafe error.pointee.message.map { unsafe String(cString: $0) } ?? "GStreamer fails"
    let lines = unsafe detail.map { unsafe String(cString: $0) }?.split(separator: "\n") ?? []
    return VideoReadError(lines.count > 1 ? "\(text) (\(lines[lines.count - 1]))" : text)
  }
}

/// When encoded pictures came to a decoder, by the time that GStreamer gives them: the newest few.
final class DecoderInput: Sendable {
  /// One of them.
  struct Entry {
    var time: UInt64
    var arrival: MonotonicTime
    var count: Int
  }

  private let entries = Mutex<[Entry]>([])

  /// Notes one.
  func note(_ time: UInt64, _ count: Int) {
    let entry = Entry(time: time, arrival: .system, count: count)
    entries.withLock {
      if $0.count >= 32 { $0.removeFirst() }
      $0.append(entry)
    }
  }

  /// The one with that time; nil if it is not known.
  func entry(_ time: UInt64) -> Entry? { entries.withLock { $0.last { $0.time == time } } }
}

/// What a sink has: a picture as bytes.
@safe final class Sample {
  /// When its last byte had arrived, as far as it is known.
  let arrival: MonotonicTime
  /// The number of its encoded bytes; 0 if they are not known.
  let encodedBytes: Int
  /// The time that the sender gave it, in nanoseconds since 1970; nil if it gave none.
  let senderTime: Int64?
  /// The time on the machine's monotonic clock that the source element gave it.
  let sourceTime: MonotonicTime?
  private let sample: OpaquePointer

  init(_ sample: OpaquePointer, _ input: DecoderInput, base: UInt64) {
    unsafe self.sample = unsafe sample
    guard let buffer = unsafe gst_sample_get_buffer(sample) else {
      (arrival, encodedBytes, senderTime, sourceTime) = (.system, 0, nil, nil)
      return
    }
    let time = unsafe cockpit_gst_time(buffer)
    let entry = input.entry(time)
    arrival = entry?.arrival ?? .system
    encodedBytes = unsafe entry?.count ?? Int(gst_buffer_get_size(buffer))
    // NTP counts from 1900.
    let sender = unsafe Int64(exactly: cockpit_gst_sender_time(buffer))
    senderTime = sender.map { $0 - 2_208_988_800_000_000_000 }
    let source = Int64(exactly: time).flatMap { time in Int64(exactly: base).map { $0.addingReportingOverflow(time) } }
    sourceTime = source.flatMap { $0.overflow ? nil : MonotonicTime(nanoseconds: $0.partialValue) }
  }

  deinit { unsafe cockpit_gst_sample_free(sample) }

  /// Its bytes as they are.
  var bytes: [UInt8] {
    guard let buffer = unsafe gst_sample_get_buffer(sample) else { return [] }
    var map = unsafe GstMapInfo()
    guard unsafe gst_buffer_map(buffer, &map, GST_MAP_READ) != 0 else { return [] }
    defer { unsafe gst_buffer_unmap(buffer, &map) }
    return unsafe Array(UnsafeBufferPointer(start: map.data, count: Int(map.size)))
  }

  /// The size of its pixels; nil if it has none.
  var size: (width: Int, height: Int)? {
    var info = unsafe GstVideoInfo()
    guard let caps = unsafe gst_sample_get_caps(sample), unsafe gst_video_info_from_caps(&info, caps) != 0 else {
      return nil
    }
    return unsafe (Int(info.width), Int(info.height))
  }

  /// Copies its pixels, of four bytes each, into memory whose rows have no gaps; false if they can't be.
  func copy(to memory: UnsafeMutableRawBufferPointer) -> Bool {
    var info = unsafe GstVideoInfo()
    var frame = unsafe GstVideoFrame()
    guard let buffer = unsafe gst_sample_get_buffer(sample), let caps = unsafe gst_sample_get_caps(sample),
      unsafe gst_video_info_from_caps(&info, caps) != 0,
      unsafe gst_video_frame_map(&frame, &info, buffer, GST_MAP_READ) != 0
    else { return false }
    defer { unsafe gst_video_frame_unmap(&frame) }
    let (row, height, stride) = unsafe (Int(info.width) * 4, Int(info.height), Int(frame.info.stride.0))
    guard let pixels = unsafe frame.data.0, let target = memory.baseAddress, row > 0, height > 0, stride >= row,
      row * height <= memory.count
    else { return false }
    if stride == row {
      unsafe target.copyMemory(from: pixels, byteCount: row * height)
    } else {
      for y in 0..<height { unsafe (target + y * row).copyMemory(from: pixels + y * stride, byteCount: row) }
    }
    return true
  }
}
