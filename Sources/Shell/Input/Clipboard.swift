import CLinux
import Glibc
import Linux
import Wayland

/// The clipboard of one seat, for copying and pasting texts, and the files that users drop on windows.
final class Clipboard {
  /// The types as which texts are offered and pasted; the first is preferred.
  private static let types = ["text/plain;charset=utf-8", "UTF8_STRING", "text/plain"]
  /// The type of dropped files.
  private static let fileType = "text/uri-list"

  private let manager: WlDataDeviceManager
  private let device: WlDataDevice
  private let seat: SeatContext
  /// Our own clipboard text; nil once another client owns the clipboard.
  private var copied: (source: WlDataSource, text: String)?
  /// Offers of clients, by copying or dragging.
  private var offers: [Offer] = []
  private var selection: Offer?
  /// The offer that is dragged over a window which takes it.
  private var drag: (offer: Offer, window: InputTarget)?
  /// The programs that paste and have not read everything yet, oldest first.
  private var readers: [PasteWriter] = []
  /// The maximum number of readers; beyond it the oldest receives no more data. Each needs a file descriptor, which are limited
  /// per process.
  private static let mostReaders = 8
  /// The transfer in progress. Only one: a new request cancels the previous one.
  private var arriving: PipeReader?

  private final class Offer {
    let proxy: WlDataOffer
    var types: [String] = []
    /// True while the drag has an action. Without one the protocol forbids `finish`.
    var hasAction = false

    init(_ proxy: WlDataOffer) {
      self.proxy = proxy
      proxy.onEvent = { [unowned self] in
        switch $0 {
        // A client may offer anything without end.
        case .offer(let type): if types.count < 256 { types.append(type) }
        case .action(let action): hasAction = !action.isEmpty
        case .sourceActions: break
        }
      }
    }
  }

  init(manager: WlDataDeviceManager, proxy: WlSeat, seat: SeatContext) {
    self.manager = manager
    self.seat = seat
    device = manager.getDataDevice(seat: proxy)
    device.onEvent = { [unowned self] in handle($0) }
  }

  /// Offers `text` for pasting. `serial` must be that of the press that caused it: compositors refuse any other.
  func copy(_ text: String, serial: UInt32) {
    Clipboard.outliveClosedPipes()
    let bytes = Array(text.utf8)
    let made = manager.createDataSource()
    for type in Clipboard.types { made.offer(mimeType: type) }
    made.onEvent = { [unowned self, unowned made] event in
      switch event {
      case .send(_, let file): if let file = file.take() { send(bytes, to: PasteWriter(file, seat.loop)) }
      case .cancelled:
        // Another client copied.
        made.end()
        if copied?.source === made { copied = nil }
      default: break
      }
    }
    device.setSelection(source: made, serial: serial)
    // Destroy the old source only after the new one is set, so the clipboard is never empty.
    copied?.source.end()
    copied = (made, text)
    Log.write(.input, .info, "copied \(bytes.count) bytes")
  }

  /// Destroys the clipboard with its seat, including the copied text.
  func end() {
    readers.removeAll()
    arriving = nil
    copied?.source.end()
    copied = nil
    seat.application?.retire(self)
  }

  private func handle(_ event: WlDataDevice.Event) {
    switch event {
    case .dataOffer(let offer): offers.append(Offer(offer))
    case .selection(let current):
      selection = offers.first { $0.proxy === current }
      forgetOffers()
    case .enter(let serial, let surface, _, _, let offer): enter(serial, surface, offers.first { $0.proxy === offer })
    case .leave:
      drag = nil
      forgetOffers()
    case .drop: drop()
    case .motion: break
    }
  }

  /// Destroys offers that nothing uses any more, except `new`.
  private func forgetOffers(but new: Offer? = nil) {
    offers.removeAll { offer in
      guard offer !== new, offer !== selection, offer !== drag?.offer, offer !== arriving?.offer else { return false }
      offer.proxy.end()
      return true
    }
  }

  // MARK: From elsewhere

  /// The type of the selection's text; nil if it is not text, or if the compositor reports none.
  private var textType: String? {
    selection.flatMap { offer in Clipboard.types.first(where: offer.types.contains) }
  }

  /// True while there is a text to paste.
  var canPaste: Bool { textType != nil || (selection == nil && copied != nil) }

  /// Reads the text that can be pasted; the window's content receives it when it is complete.
  ///
  /// Compositors announce the selection to the program with the keyboard focus, some not at all on a seat without a keyboard.
  /// Our own text can be pasted even then.
  func paste(into window: Window) {
    let enter = { [weak window, seat] (text: String) -> Void in
      window?.receive(.text(TextEdit(seat: seat.id, source: .clipboard, inserted: text)))
    }
    if let selection, let textType {
      receive(selection, as: textType) { enter(String(decoding: $0, as: UTF8.self)) }
    } else if selection == nil, let copied {
      enter(copied.text)
    }
  }

  private func enter(_ serial: UInt32, _ surface: WlSurface?, _ offer: Offer?) {
    drag = nil
    forgetOffers(but: offer)
    guard let offer else { return }
    guard let window = seat.window(of: surface), window.onFilesDropped != nil,
      offer.types.contains(Clipboard.fileType)
    else { return offer.proxy.accept(serial: serial, mimeType: nil) }
    drag = (offer, window.inputTarget)
    offer.proxy.accept(serial: serial, mimeType: Clipboard.fileType)
    if offer.proxy.version >= 3 { offer.proxy.setActions(dndActions: .copy, preferredAction: .copy) }
  }

  private func drop() {
    guard let (offer, window) = drag else { return forgetOffers() }
    drag = nil
    receive(offer, as: Clipboard.fileType) { [unowned self] bytes in
      if offer.hasAction { offer.proxy.finish() }
      let paths = DroppedFiles.paths(in: String(decoding: bytes, as: UTF8.self))
      guard let window = window.window, !paths.isEmpty else { return }
      seat.outbox.post(.call { [weak window] in window?.onFilesDropped?(paths) })
    }
  }

  /// Has the offer written into a pipe, and passes the data to `take` when it ends.
  private func receive(_ offer: Offer, as type: String, _ take: @escaping ([UInt8]) -> Void) {
    arriving = nil
    var ends: [Int32] = [-1, -1]
    guard unsafe cockpit_pipe(&ends) == 0, let output = Descriptor(ends[0]), let input = Descriptor(ends[1]) else {
      return
    }
    // Non-blocking on this end only: the writer may rely on a blocking file.
    _ = fcntl(output.number, F_SETFL, O_NONBLOCK)
    // libwayland sends a duplicate, and ends the connection if it cannot make one.
    guard input.hasRoomForCopy else { return }
    offer.proxy.receive(mimeType: type, fd: input.number)
    arriving = PipeReader(output, offer: offer, seat.loop) { [unowned self] bytes in
      arriving = nil
      if let bytes { take(bytes) }
      forgetOffers()
      seat.outbox.deliver()
    }
    forgetOffers()
  }

  // MARK: Pasting

  /// Writes to a program that pastes. A slow reader does not stall the loop.
  private func send(_ bytes: [UInt8], to reader: PasteWriter) {
    guard !reader.write(bytes) else { return }
    if readers.count == Clipboard.mostReaders { readers.removeFirst() }
    readers.append(reader)
    reader.onEnd = { [unowned self, unowned reader] in readers.removeAll { $0 === reader } }
  }

  /// Keeps a program that pastes and exits early from terminating this one (SIGPIPE). The program's own handler stays.
  private static func outliveClosedPipes() {
    var action = sigaction()
    guard unsafe sigaction(SIGPIPE, nil, &action) == 0, unsafe action.__sigaction_handler.sa_handler == nil else {
      return
    }
    signal(SIGPIPE, SIG_IGN)
  }
}

extension Clipboard: CreatesServerObjects {
  func endObjects() {
    (selection, drag) = (nil, nil)
    forgetOffers()
    device.end()
  }
}

/// The files that a user drops, from the URI list that other programs send.
nonisolated enum DroppedFiles {
  /// The paths of local files in a text/uri-list (RFC 2483); other addresses are left out.
  static func paths(in text: String) -> [String] {
    text.split(whereSeparator: \.isNewline).compactMap { line in
      guard !line.hasPrefix("#"), line.lowercased().hasPrefix("file:") else { return nil }
      var rest = line.dropFirst(5)
      if rest.hasPrefix("//") {
        rest = rest.dropFirst(2)
        // The host is empty, or names this machine.
        let host = rest.prefix { $0 != "/" }
        guard host.isEmpty || host == "localhost" else { return nil }
        rest = rest.dropFirst(host.count)
      }
      return rest.hasPrefix("/") ? decoded(rest) : nil
    }
  }

  /// The text with percent-encoding such as %41 decoded; nil for an invalid escape or an encoded zero.
  private static func decoded(_ text: Substring) -> String? {
    var bytes: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      let digits = rest.prefix(2)
      rest = rest.dropFirst(2)
      guard digits.count == 2, let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16), value != 0 else {
        return nil
      }
      bytes.append(value)
    }
    return String(validating: bytes, as: UTF8.self)
  }
}

/// The bytes that another program writes, until it has written all.
private final class PipeReader {
  /// The maximum number of bytes accepted, more than any field or list can hold.
  private static let limit = 1 << 20

  let offer: AnyObject
  private let file: Descriptor
  private let loop: EventLoop
  private var bytes: [UInt8] = []
  private let take: ([UInt8]?) -> Void

  /// Calls `take` once: with the bytes, or with nil when there are too many or they can't be read.
  init(_ file: consuming Descriptor, offer: AnyObject, _ loop: EventLoop, _ take: @escaping ([UInt8]?) -> Void) {
    self.file = file
    self.offer = offer
    self.loop = loop
    self.take = take
    loop.watchReadable(self.file.number) { [unowned self] in read() }
  }

  isolated deinit { loop.unwatch(file.number) }

  private func read() {
    var part = [UInt8](repeating: 0, count: 16_384)
    while true {
      let count = unsafe Glibc.read(file.number, &part, part.count)
      if count < 0, errno == EINTR { continue }
      if count < 0, errno == EAGAIN { return }
      guard count > 0, bytes.count + count <= PipeReader.limit else {
        // The owner drops this object when notified.
        loop.unwatch(file.number)
        return take(count == 0 ? bytes : nil)
      }
      bytes += part[..<count]
    }
  }
}

/// The file of a program that pastes, and the bytes that it has not read yet; closed with its owner.
private final class PasteWriter {
  private let file: Descriptor
  private let loop: EventLoop
  private var rest: ArraySlice<UInt8> = []
  /// Called once, when everything is written or the reader has closed.
  var onEnd: (() -> Void)?

  init(_ file: consuming Descriptor, _ loop: EventLoop) {
    self.file = file
    self.loop = loop
    _ = fcntl(self.file.number, F_SETFL, fcntl(self.file.number, F_GETFL) | O_NONBLOCK)
  }

  isolated deinit { loop.unwatch(file.number) }

  /// Writes as much as fits now, and the rest when there is space. Returns true if nothing is left to do.
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
      let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(file.number, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      if count < 0, errno == EAGAIN { return false }
      guard count > 0 else { break }
      rest = rest.dropFirst(count)
    }
    return true
  }
}
