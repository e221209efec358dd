import Wayland

/// The clipboard of one seat, for copying and pasting texts, and the files that users drop on windows.
final class Clipboard {
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
  private let traffic: PasteTraffic

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
    traffic = PasteTraffic(seat.loop)
    device = manager.getDataDevice(seat: proxy)
    device.onEvent = { [unowned self] in handle($0) }
  }

  /// Offers `text` for pasting. `serial` must be that of the press that caused it: compositors refuse any other.
  func copy(_ text: String, serial: UInt32) {
    PasteWriter.outliveClosedPipes()
    let bytes = Array(text.utf8)
    let made = manager.createDataSource()
    for type in TextType.offered { made.offer(mimeType: type) }
    made.onEvent = { [unowned self, unowned made] event in
      switch event {
      case .send(_, let file): if let file = file.take() { traffic.send(bytes, to: file) }
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
    traffic.end()
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
      guard offer !== new, offer !== selection, offer !== drag?.offer, offer !== traffic.offer else { return false }
      offer.proxy.end()
      return true
    }
  }

  // MARK: From elsewhere

  /// The type of the selection's text; nil if it is not text, or if the compositor reports none.
  private var textType: (name: String, type: TextType)? { selection.flatMap { TextType.best(of: $0.types) } }

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
    if let selection, let (name, type) = textType {
      // More than a field keeps is pasted as far as it was read.
      receive(selection, as: name) { enter(type.text(of: $0, isWhole: $1)) }
    } else if selection == nil, let copied {
      enter(copied.text)
    }
  }

  private func enter(_ serial: UInt32, _ surface: WlSurface?, _ offer: Offer?) {
    drag = nil
    forgetOffers(but: offer)
    guard let offer else { return }
    guard let window = seat.window(of: surface), window.onFilesDropped != nil, let name = fileName(of: offer) else {
      return offer.proxy.accept(serial: serial, mimeType: nil)
    }
    drag = (offer, window.inputTarget)
    offer.proxy.accept(serial: serial, mimeType: name)
    if offer.proxy.version >= 3 { offer.proxy.setActions(dndActions: .copy, preferredAction: .copy) }
  }

  /// The type of dropped files as the offer spells it; nil if it offers no files.
  private func fileName(of offer: Offer) -> String? {
    offer.types.first { $0.lowercased().split(separator: ";").first.map { $0 == Clipboard.fileType } ?? false }
  }

  private func drop() {
    guard let (offer, window) = drag else { return forgetOffers() }
    drag = nil
    receive(offer, as: fileName(of: offer) ?? Clipboard.fileType) { [unowned self] bytes, isWhole in
      // Without `finish`, the source learns that the drop has failed.
      if offer.hasAction, isWhole { offer.proxy.finish() }
      let files = isWhole ? DroppedFiles(bytes) : nil
      guard let window = window.window else { return }
      seat.outbox.post(
        .call { [weak window] in
          for problem in files?.problems ?? [.unreadable] { window?.onDropRefused?(problem) }
          if let files, !files.paths.isEmpty { window?.onFilesDropped?(files.paths) }
        })
    }
  }

  /// Has the offer written into a pipe, and passes the data to `take` when it ends.
  private func receive(
    _ offer: Offer, as type: String, _ take: @escaping (_ bytes: [UInt8], _ isWhole: Bool) -> Void
  ) {
    let isAsked = traffic.read(offer, by: { offer.proxy.receive(mimeType: type, fd: $0) }) {
      [unowned self] bytes, isWhole in
      take(bytes, isWhole)
      forgetOffers()
      seat.outbox.deliver()
    }
    if isAsked { forgetOffers() }
  }
}

extension Clipboard: CreatesServerObjects {
  func endObjects() {
    (selection, drag) = (nil, nil)
    forgetOffers()
    device.end()
  }
}
