import CockpitControls
import Controls
import DriveLink
import Glibc
import JSON
import Linux
import UICore

/// The reason why a record cannot be played.
nonisolated struct RecordError: Error, Hashable, CustomStringConvertible {
  let name: String
  let line: Int
  let reason: String

  var description: String { "\(name):\(line): \(reason)" }
}

struct RecordedSession {
  struct Header: Equatable {
    var start = MonotonicTime.zero
    /// Nanoseconds since 1970 at the start; nil in older records. A replay does not need it.
    var wall: Int64?
    /// The options that matter for a replay (`OptionRow.isRecorded`), and the vehicle's file; for other files and receivers, only whether
    /// there was one.
    var options = Options()
    /// That of the session's first lines; nil in records of earlier versions.
    var identifier: DriveIdentifier?
    /// The initial appearance; dark for older records, which have none.
    var look = SceneLook()
    /// The language and the reading direction of the texts; nil in older records, which are replayed with the present ones.
    var language: Language.Code?
    var direction: LayoutDirection?
    /// The letters of the scene's own keyboard; nil in older records, whose scenes showed none.
    var keyboard: KeyboardLanguage?
    /// The layout file's text; nil for the cockpit's own scene.
    var scene: String?
    /// The directory of that file, in which its pictures are; nil in older records.
    var sceneFolder: String?
  }

  /// The longest session, in nanoseconds: a day.
  static let longest = 86_400_000_000_000
  /// The largest file that is read, in bytes.
  static let largestFile = 1 << 29
  static let version = 1

  var header: Header
  var events: [(time: MonotonicTime, event: SessionEvent)] = []

  /// The record in the file at `path`.
  ///
  /// - Throws: `SessionError`.
  init(contentsOf path: String) throws(SessionError) {
    let text: [UInt8]
    do { text = try FileReader.bytes(of: path, atMost: Self.largestFile) } catch {
      throw SessionError("cannot read \(path): \(error)")
    }
    do { self = try RecordedSession(text, name: path) } catch { throw SessionError(error) }
  }

  /// Reads `text`. An incomplete last line is left out, since the program may have been killed while it was written.
  ///
  /// - Throws: `RecordError` for the first error.
  init(_ text: [UInt8], name: String) throws(RecordError) {
    var number = 0
    var header: Header?
    var last = MonotonicTime.zero
    var start = text.startIndex
    while let end = text[start...].firstIndex(of: UInt8(ascii: "\n")) {
      defer { start = end + 1 }
      number += 1
      let line: JSONValue
      do throws(JSONError) {
        line = try JSONValue(Array(text[start..<end]), .line)
      } catch {
        throw RecordError(
          name: name, line: number, reason: "this is no JSON: \(error.message), column \(error.place.column)")
      }
      guard let known = header else {
        guard let first = Header(line) else {
          throw RecordError(name: name, line: number, reason: "this is no record that this version can play")
        }
        header = first
        last = first.start
        continue
      }
      // Records of earlier versions have a time far before the start where there was no window yet.
      guard let elapsed = line["t"]?.whole.map({ max($0, 0) }), elapsed <= RecordedSession.longest,
        let event = SessionEvent.read(line, since: known.start)
      else { throw RecordError(name: name, line: number, reason: "this is no event") }
      let time = known.start + .nanoseconds(Int64(elapsed))
      guard time >= last else { throw RecordError(name: name, line: number, reason: "time goes back") }
      last = time
      events.append((time, event))
    }
    guard let header else { throw RecordError(name: name, line: 1, reason: "the file has no first line") }
    self.header = header
  }
}

extension RecordedSession.Header {
  var line: String {
    var parts = ["\"cockpit\":\(RecordedSession.version)", "\"start\":\"\(start.nanoseconds)\""]
    if let wall { parts.append("\"wall\":\"\(wall)\"") }
    if let identifier { parts.append("\"id\":\"\(identifier)\"") }
    let texts = OptionName.recorded.compactMap { option in
      option.row.text(options).map { "\"\(option.rawValue)\":\(JSONValue.string($0).jsonText)" }
    }
    parts.append("\"options\":{\(texts.joined(separator: ","))}")
    parts.append("\"look\":\(look.field)")
    if let language { parts.append("\"language\":\"\(language.rawValue)\"") }
    if let direction { parts.append("\"rightToLeft\":\(direction == .rightToLeft)") }
    if let keyboard { parts.append("\"keyboard\":\"\(keyboard.rawValue)\"") }
    if let scene { parts.append("\"scene\":\(JSONValue.string(scene).jsonText)") }
    if let vehicle = options.vehicleFile { parts.append("\"vehicle\":\(JSONValue.string(vehicle.source).jsonText)") }
    if let sceneFolder { parts.append("\"folder\":\(JSONValue.string(sceneFolder).jsonText)") }
    return "{\(parts.joined(separator: ","))}"
  }

  /// The header in a record's first line; nil if it is not one.
  init?(_ line: JSONValue) {
    guard line["cockpit"]?.whole == RecordedSession.version, let start = line["start"]?.text.flatMap({ Int64($0) }),
      (0...Int64.max / 2).contains(start), let texts = Self.texts(in: line)
    else { return nil }
    self.start = MonotonicTime(nanoseconds: start)
    wall = line["wall"]?.text.flatMap { Int64($0) }
    if let text = line["id"]?.text {
      guard let identifier = DriveIdentifier(text) else { return nil }
      self.identifier = identifier
    }
    for (option, text) in texts {
      guard option.row.store(text, &options) else { return nil }
    }
    if let value = line["look"] {
      guard let look = SceneLook(value) else { return nil }
      self.look = look
    }
    if let name = line["language"]?.text {
      guard let language = Language.Code(rawValue: name) else { return nil }
      self.language = language
    }
    direction = line["rightToLeft"]?.bool.map { $0 ? .rightToLeft : .leftToRight }
    keyboard = line["keyboard"]?.text.flatMap(KeyboardLanguage.init)
    if let text = line["vehicle"]?.text {
      guard let vehicle = try? VehicleFile(Array(text.utf8), path: "the vehicle in the record") else { return nil }
      options.vehicleFile = vehicle
    }
    scene = line["scene"]?.text
    sceneFolder = line["folder"]?.text
  }

  /// The texts of the options in a record's first line; nil if they cannot be read.
  private static func texts(in line: JSONValue) -> [(OptionName, String)]? {
    guard case .object(let members)? = line["options"] else { return earlierTexts(in: line) }
    let texts = OptionName.recorded.compactMap { option in members[option.rawValue]?.text.map { (option, $0) } }
    return texts.count == members.count ? texts : nil
  }

  /// The same of records of earlier versions, whose first line had a member for each option.
  private static func earlierTexts(in line: JSONValue) -> [(OptionName, String)]? {
    guard let drives = line["drive"]?.bool, let hasDeadMan = line["deadMan"]?.bool, let rate = line["rate"]?.whole,
      let hasTelemetry = line["telemetry"]?.bool
    else { return nil }
    var texts: [(OptionName, String)] = [(.deadMan, hasDeadMan ? "on" : "off")]
    texts.append((.driveRate, "\(rate.clamped(to: DriveStream.rates))"))
    if drives { texts.append((.drive, "-")) }
    if hasTelemetry { texts.append((.telemetry, "-")) }
    if let gear = line["gear"]?.text { texts.append((.gear, gear)) }
    if let degrees = line["steer"]?.finiteNumber {
      let most = Options.greatestSteering
      texts.append((.steer, OptionValue.decimal(degrees.clamped(to: -most...most))))
    }
    if let isOn = line["beacon"]?.bool { texts.append((.beacon, isOn ? "on" : "off")) }
    if let numbers = line["shaping"]?.items?.compactMap(\.finiteNumber) {
      guard numbers.count == 5 else { return nil }
      texts += zip([.limit, .reverseLimit, .ramp, .trim, .expo], numbers.map { OptionValue.decimal($0) })
    }
    if let throttle = line["throttle"]?.text { texts.append((.throttle, throttle)) }
    if line["tilt"]?.bool == true { texts.append((.tilt, "on")) }
    if line["demo"]?.bool == true { texts.append((.demo, "on")) }
    return texts
  }
}

/// Writes each event as a line at once, so that a crash loses none of the events before it. Of a text that its view keeps secret only the
/// number of characters is written.
final class Recorder: SessionPart {
  private let file: Descriptor
  private let start: MonotonicTime
  private var isBroken = false
  /// The scene, whose secrets are kept out of the record.
  weak var scene: CockpitScene?
  private var secrets = SecretInput()
  /// The event that the scene is about to handle, without its secrets.
  private var kept: InputEvent?

  /// Creates the file at `path` with the session's header. An existing file is kept, since it may be evidence of a crash: the
  /// record is then written to the first free name of `path`.1, `path`.2 and so on.
  ///
  /// Only the user may read it, because it shows what was typed, and when the user drove: a file without content loses the rights
  /// that others had.
  ///
  /// - Throws: `SessionError`.
  init(path: String, header: RecordedSession.Header) throws(SessionError) {
    start = header.start
    guard let file = Recorder.create(path) else { throw .cannotWrite(path) }
    self.file = file
    write(header.line)
    guard !isBroken else { throw .cannotWrite(path) }
  }

  private static let mostFiles = 10_000
  /// The file mode of records.
  private static let mode: mode_t = 0o600

  private static func create(_ path: String) -> Descriptor? {
    var found = stat()
    // Writing to an empty file, or to something that is not a regular file, destroys no record. A pipe that nobody reads must
    // hold up neither the start nor the drive.
    if stat(path, &found) == 0, found.st_mode & S_IFMT != S_IFREG || found.st_size == 0 {
      guard let file = Descriptor(open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC)) else { return nil }
      // A pipe or a device has its rights from whoever made it, for more than this record.
      if found.st_mode & S_IFMT == S_IFREG, fchmod(file.number, mode) != 0 {
        Cockpit.complain("other users may read the record \(path): \(systemMessage(errno))")
      }
      return file
    }
    for number in 0..<mostFiles {
      let name = number == 0 ? path : "\(path).\(number)"
      if let file = Descriptor(open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)) {
        if number > 0 { Cockpit.complain("\(path) is kept; this record is \(name)") }
        return file
      }
      guard errno == EEXIST else { return nil }
    }
    return nil
  }

  /// What goes to a secret text is known before the event: it may move the focus.
  func willHandle(_ event: InputEvent) {
    kept = scene.map { secrets.without(event, in: $0) } ?? event
  }

  func didHandle(_ event: () -> SessionEvent, at time: MonotonicTime) {
    var event = event()
    switch event {
    case .input:
      if let kept { event = .input(kept) }
      kept = nil
    case .assist(let place, .setText(let text)):
      // A view that is gone may have kept its text secret.
      let isSecret = scene.map { place.view(in: $0)?.keepsTextSecret ?? true } ?? false
      if isSecret { event = .assist(place, .setText(SecretInput.veil(text))) }
    case .assist(let place, let command):
      guard let scene, let view = place.view(in: scene) else { break }
      event = .assist(ViewPath(of: SecretInput.without(view, in: scene), in: scene) ?? place, command)
    default: break
    }
    note(event, at: time)
  }

  func note(_ event: SessionEvent, at time: MonotonicTime) {
    write("{\"t\":\((time - start).inNanoseconds),\(event.fields(since: start))}")
  }

  /// Writes a line. An error, such as a full disk or a full pipe, ends the record but not the drive.
  private func write(_ line: String) {
    guard !isBroken else { return }
    isBroken = !Descriptor.write(Array((line + "\n").utf8), to: file.number, mayWait: false)
    if isBroken { Cockpit.complain("the record can't be written any more: \(systemMessage(errno))") }
  }
}
