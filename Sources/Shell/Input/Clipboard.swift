import Glibc
import UICore
import Wayland

/// What one seat copies. Its objects are made with the first copy: a program that copies nothing asks for none.
final class Clipboard {
  /// The names that texts go by; the first is what everybody should ask for.
  private static let types = ["text/plain;charset=utf-8", "UTF8_STRING", "text/plain"]

  private let manager: WlDataDeviceManager
  private let device: WlDataDevice
  private unowned let router: any InputRouter
  private var loop: EventLoop { router.loop }
  private var source: WlDataSource?
  /// What others copied and drag about; nothing is pasted from it.
  private var offers: [WlDataOffer] = []
  /// What readers that take their time have not read yet.
  private var waiting: [Int32: ArraySlice<UInt8>] = [:]

  init(manager: WlDataDeviceManager, seat: WlSeat, router: any InputRouter) {
    self.manager = manager
    self.router = router
    device = manager.getDataDevice(seat: seat)
    Clipboard.outliveClosedPipes()
    device.onEvent = { [unowned self] in handle($0) }
  }

  /// Offers `text` for pasting. `serial` is that of the press that asked for it: compositors take it from nobody else.
  func copy(_ text: String, serial: UInt32) {
    let bytes = Array(text.utf8)
    let made = manager.createDataSource()
    for type in Clipboard.types { made.offer(mimeType: type) }
    made.onEvent = { [unowned self, unowned made] event in
      switch event {
      case .send(_, let file): send(bytes, to: file.take())
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

  /// The seat went: what was copied goes with it.
  func end() {
    for descriptor in waiting.keys {
      loop.unwatch(descriptor)
      close(descriptor)
    }
    waiting.removeAll()
    source?.end()
    source = nil
    router.retire(self)
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

  /// Writes to whoever pastes; one who reads slowly keeps nobody waiting.
  private func send(_ bytes: [UInt8], to descriptor: Int32) {
    guard descriptor >= 0 else { return }
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    waiting[descriptor] = bytes[...]
    guard !isWritten(descriptor) else { return }
    loop.watch(
      EventLoop.Watch(descriptor: descriptor, prepare: { .writable }) { [weak self] happened in
        guard let self, !happened.isEmpty, isWritten(descriptor) else { return }
        loop.unwatch(descriptor)
      })
  }

  /// Writes what there is room for; true, and the file closed, when all is written or nobody reads.
  private func isWritten(_ descriptor: Int32) -> Bool {
    while let rest = waiting[descriptor], !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      if count < 0, errno == EAGAIN { return false }
      guard count > 0 else { break }
      waiting[descriptor] = rest.dropFirst(count)
    }
    waiting[descriptor] = nil
    close(descriptor)
    return true
  }

  /// One who pastes and goes away before all is read must not end the program (SIGPIPE). A handler of the program's own stays.
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
