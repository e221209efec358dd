import Linux
import Wayland

/// The primary selection of one seat: the text that was selected last, which the middle button pastes.
final class PrimarySelection {
  private let manager: ZwpPrimarySelectionDeviceManagerV1
  private let device: ZwpPrimarySelectionDeviceV1
  private let seat: SeatContext
  private let traffic: PasteTraffic
  /// Our own selected text; nil once another client has selected.
  private var selected: (source: ZwpPrimarySelectionSourceV1, text: String)?
  private var offers: [Offer] = []
  private var selection: Offer?

  private final class Offer {
    let proxy: ZwpPrimarySelectionOfferV1
    var types: [String] = []

    init(_ proxy: ZwpPrimarySelectionOfferV1) {
      self.proxy = proxy
      proxy.onEvent = { [unowned self] in
        // A client may offer anything without end.
        if case .offer(let type) = $0, types.count < 256 { types.append(type) }
      }
    }
  }

  init(manager: ZwpPrimarySelectionDeviceManagerV1, proxy: WlSeat, seat: SeatContext) {
    self.manager = manager
    self.seat = seat
    traffic = PasteTraffic(seat.loop)
    device = manager.getDevice(seat: proxy)
    device.onEvent = { [unowned self] in
      switch $0 {
      case .dataOffer(let offer): offers.append(Offer(offer))
      case .selection(let current):
        selection = offers.first { $0.proxy === current }
        forgetOffers()
      }
    }
  }

  /// Offers `text`, which the user selected by the press with `serial`.
  func select(_ text: String, serial: UInt32) {
    guard text != selected?.text else { return }
    PasteWriter.outliveClosedPipes()
    let bytes = Array(text.utf8)
    let made = manager.createSource()
    for type in TextType.offered { made.offer(mimeType: type) }
    made.onEvent = { [unowned self, unowned made] in
      switch $0 {
      case .send(_, let file): if let file = file.take() { traffic.send(bytes, to: file) }
      case .cancelled:
        made.end()
        if selected?.source === made { selected = nil }
      }
    }
    device.setSelection(source: made, serial: serial)
    selected?.source.end()
    selected = (made, text)
  }

  /// Reads the selected text; the window's content receives it for `place`, where the middle button was pressed.
  func paste(into window: Window, at place: Point) {
    let enter = { [weak window, seat] (text: String) -> Void in
      let edit = TextEdit(seat: seat.id, source: .primarySelection, inserted: text, place: place)
      window?.receive(.text(edit))
    }
    // Compositors announce our own selection too, but some not to a client without the keyboard focus.
    if let selected { return enter(selected.text) }
    guard let selection, let (name, type) = TextType.best(of: selection.types) else { return }
    let isAsked = traffic.read(selection, by: { selection.proxy.receive(mimeType: name, fd: $0) }) {
      [unowned self] bytes, isWhole in
      enter(type.text(of: bytes, isWhole: isWhole))
      forgetOffers()
      seat.outbox.deliver()
    }
    if isAsked { forgetOffers() }
  }

  /// Destroys the selection with its seat.
  func end() {
    traffic.end()
    selected?.source.end()
    selected = nil
    seat.application?.retire(self)
  }

  private func forgetOffers() {
    offers.removeAll { offer in
      guard offer !== selection, offer !== traffic.offer else { return false }
      offer.proxy.end()
      return true
    }
  }
}

extension PrimarySelection: CreatesServerObjects {
  func endObjects() {
    selection = nil
    forgetOffers()
    device.end()
  }
}
