import Glibc
import Linux
import Wayland

/// The clipboard of one seat, to copy texts to. Its objects are made with the first copy: a program that copies nothing
/// asks for none.
final class Clipboard {
  /// The types that texts are offered as; the first is the one to prefer.
  private static let types = ["text/plain;charset=utf-8", "UTF8_STRING", "text/plain"]

  private let manager: WlDataDeviceManager
  private let device: WlDataDevice
  private unowned let application: Application
  private var source: WlDataSource?
  /// Offers of other clients, by copying or dragging; nothing is pasted from them.
  private var offers: [WlDataOffer] = []
  /// The programs that paste and have not read everything yet.
  private var readers: [Reader] = []

  init(manager: WlDataDeviceManager, seat: WlSeat, application: Application) {
    self.manager = manager
    self.application = application
    device = manager.getDataDevice(seat: seat)
    Clipboard.outliveClosedPipes()
    device.onEvent = { [unowned self] in handle($0) }
  }

  /// Offers `text` for pasting. `serial` is that of the press that caused it: compositors refuse any other.
  func copy(_ text: String, serial: UInt32) {
    let bytes = Array(text.utf8)
    let made = manager.createDataSource()
    for type in Clipboard.types { made.offer(mimeType: type) }
    made.onEvent = { [unowned self, unowned made] event in
      switch event {
      case .send(_, let file): if let file = file.take() { send(bytes, to: Reader(file, application.loop)) }
      case .cancelled:
        // Somebody else copied.
        made.end()
        if source === made { source = nil }
      default: break
      }
    }
    device.setSelection(source: made, serial: serial)
    // Only now: at no time is there nothing to paste.
    source?.end()
    source = made
    Log.write(.input, .info, "copied \(bytes.count) bytes")
  }

  /// Ends with the seat; the copied text goes with it.
  func end() {
    readers.removeAll()
    source?.end()
    source = nil
    application.retire(self)
  }

  private func handle(_ event: WlDataDevice.Event) {
    switch event {
    case .dataOffer(let offer): offers.append(offer)
    case .selection(let current): keep(current)
    case .leave, .drop: keep(nil)
    case .enter, .motion: break
    }
  }

  private func keep(_ current: WlDataOffer?) {
    for offer in offers where offer !== current { offer.end() }
    offers.removeAll { $0 !== current }
  }

  // MARK: Pasting

  /// Writes to a program that pastes. One that reads slowly does not stall the loop.
  private func send(_ bytes: [UInt8], to reader: Reader) {
    guard !reader.write(bytes) else { return }
    readers.append(reader)
    reader.onEnd = { [unowned self, unowned reader] in readers.removeAll { $0 === reader } }
  }

  /// Keeps a program that pastes and goes away early from ending this one (SIGPIPE). A handler of the program's own stays.
  private static func outliveClosedPipes() {
    var action = sigaction()
    guard sigaction(SIGPIPE, nil, &action) == 0, action.__sigaction_handler.sa_handler == nil else { return }
    signal(SIGPIPE, SIG_IGN)
  }
}

extension Clipboard: MakesObjects {
  func endObjects() {
    keep(nil)
    device.end()
  }
}

/// The file of a program that pastes, and the bytes that it has not taken yet; closed with its owner.
private final class Reader {
  private let file: Descriptor
  private let loop: EventLoop
  private var rest: ArraySlice<UInt8> = []
  /// Called once, when everything is written or the reader is gone.
  var onEnd: (() -> Void)?

  init(_ file: consuming Descriptor, _ loop: EventLoop) {
    self.file = file
    self.loop = loop
    _ = fcntl(self.file.number, F_SETFL, fcntl(self.file.number, F_GETFL) | O_NONBLOCK)
  }

  isolated deinit { loop.unwatch(file.number) }

  /// Writes as much as there is room for, and the rest as soon as there is more; true when nothing is left to do.
  func write(_ bytes: [UInt8]) -> Bool {
    rest = bytes[...]
    if isDone() { return true }
    loop.watch(
      EventLoop.Watch(descriptor: file.number, prepare: { .writable }) { [weak self] happened in
        if let self, !happened.isEmpty, isDone() { onEnd?() }
      })
    return false
  }

  private func isDone() -> Bool {
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(file.number, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      if count < 0, errno == EAGAIN { return false }
      guard count > 0 else { break }
      rest = rest.dropFirst(count)
    }
    return true
  }
}
