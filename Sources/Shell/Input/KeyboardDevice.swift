@_spi(Devices) import UICore
import Wayland

/// The keyboard capability of one seat, from its arrival to its removal.
final class KeyboardDevice: InputDevice {
  /// The maximum number of repeats per second; a higher rate would leave no time for anything else.
  private static let highestRate: Int32 = 200

  private let proxy: WlKeyboard
  private let seat: SeatContext
  private let times: EventTimes
  /// Nil if the compositor sent none that can be used. The keys then have the meanings of their places on a US keyboard and
  /// type nothing, because brake and emergency stop must work, and the user's letters are unknown.
  private var keymap: Keymap?
  private let composer = Composer()
  /// The window that has the keyboard focus. Nil once the window is gone, even if a new window has its address.
  private weak var focus: Window?
  /// True while the compositor has the focus on a popup of that window.
  private var isOnPopup = false
  /// True from a leave that may be a move between a window and its popup, to the end of the batch of messages.
  private var isLeaving = false
  /// The keys that are down, by kernel code, as they were when they went down.
  private var held: [UInt32: Key] = [:]
  private lazy var repeatTimer = LoopTimer(loop: seat.loop) { [unowned self] in repeatKey() }
  private var repeatingCode: UInt32?
  private var repeatDelay: Duration = .milliseconds(500)
  /// The time between repeats; nil if the compositor wants no repeats.
  private var repeatInterval: Duration? = .milliseconds(40)

  init(proxy: WlKeyboard, seat: SeatContext) {
    self.proxy = proxy
    self.seat = seat
    times = EventTimes(seat.globals[ZwpInputTimestampsManagerV1.self]?.getKeyboardTimestamps(keyboard: proxy))
    proxy.onEvent = { [unowned self] in handle($0) }
  }

  func endBatch() {
    if isLeaving { leave() }
  }

  func cancel(on window: Window, onlyPlaces: Bool) {
    if focus === window, !onlyPlaces { cancelHeldKeys() }
  }

  func end() {
    leave()
    times.end()
    proxy.end()
  }

  private func handle(_ event: WlKeyboard.Event) {
    switch event {
    case .keymap(let format, let file, let size):
      keymap = nil
      if let text = file.take(), format == .xkbV1 {
        keymap = Keymap(descriptor: text.number, size: Int(size))
      }
      if keymap == nil {
        // Keys that are held can still go up, but their text is unknown.
        stopRepeat()
        Log.write(
          .input, .error,
          "the keymap of the compositor (\(size) bytes, format \(format.rawValue)) is unusable: keys count by their places "
            + "on a US keyboard, and type no text")
      } else {
        Log.write(.input, .info, "keymap of \(size) bytes")
      }
    case .enter(_, let surface, let keys):
      guard let target = seat.window(of: surface) else { return leave() }
      let window = target.keyWindow
      // There is no leave event for a popup's destroyed surface.
      let isMove = isLeaving || isOnPopup
      isOnPopup = window !== target
      if isMove, focus === window {
        // A menu opened or closed: held keys stay held unless they went up meanwhile, and nothing is lost.
        isLeaving = false
        for code in held.keys.sorted() where !keys.contains(code) { self.key(code, isDown: false, time: seat.now) }
        return
      }
      if isLeaving { leave() }
      // Keys that are already down were pressed elsewhere and do nothing here. Some compositors omit `leave`: end what the old
      // window held, and what is no longer down.
      if focus !== window || !held.keys.allSatisfy(keys.contains) { leave() }
      focus = window
      window.receive(.keyboardFocus(seat.id, true))
    case .leave:
      if let window = focusedWindow, isOnPopup || !window.popups.isEmpty {
        isLeaving = true
      } else {
        leave()
      }
    case .key(let serial, let time, let code, let state):
      if state == .pressed { seat.pressed(serial) }
      let time = times.time(time)
      if state == .repeated { repeated(code, time: time) } else { key(code, isDown: state == .pressed, time: time) }
    case .modifiers(_, let depressed, let latched, let locked, let group):
      keymap?.updateModifiers(depressed: depressed, latched: latched, locked: locked, group: group)
    case .repeatInfo(let rate, let delay):
      repeatInterval = rate > 0 ? .nanoseconds(1_000_000_000 / Int64(min(rate, Self.highestRate))) : nil
      repeatDelay = .milliseconds(max(0, delay))
      if rate <= 0 { stopRepeat() }
    }
  }

  private var focusedWindow: Window? { focus?.isOpen == true ? focus : nil }

  private func key(_ code: UInt32, isDown: Bool, time: MonotonicTime) {
    guard let window = focusedWindow else { return }
    if isDown {
      guard held[code] == nil, let key = keymap?.key(code: code) ?? KernelKeys.key(code) else { return }
      // A key may be there twice, as the arrows are on the keypad. Content gets one press and one release of it.
      let isHeldElsewhere = held.values.contains(key)
      held[code] = key
      send(isHeldElsewhere ? .repeated : .down, key, text: text(ofPressed: code), time: time, to: window)
      if keymap?.repeats(code: code) ?? KernelKeys.modifier(code).isEmpty { startRepeat(code) }
    } else {
      // Only the release of the repeating key ends the repeat.
      if repeatingCode == code { stopRepeat() }
      guard let key = held.removeValue(forKey: code), !held.values.contains(key) else { return }
      send(.up, key, text: "", time: time, to: window)
    }
  }

  private func text(ofPressed code: UInt32) -> String {
    guard let keymap else { return "" }
    return switch composer.press(keymap.symbol(code: code)) {
    case .unchanged: keymap.text(code: code)
    case .pending: ""
    case .text(let composed): composed
    }
  }

  /// The modifiers that are held: by the compositor, whose masks mean something only with its keymap, or by the keys.
  private var modifiers: KeyModifiers {
    keymap?.modifiers ?? held.keys.reduce([]) { $0.union(KernelKeys.modifier($1)) }
  }

  private func send(_ phase: KeyEvent.Phase, _ key: Key, text: String, time: MonotonicTime, to window: Window) {
    window.receive(
      .key(
        KeyEvent(
          phase: phase, key: key, text: text, modifiers: modifiers, time: time,
          hand: Hand(.keyboard, seat: seat.id))))
  }

  // MARK: Repeat

  /// The compositor itself repeats a key (wl_keyboard version 10, with a repeat rate of 0).
  private func repeated(_ code: UInt32, time: MonotonicTime) {
    guard let key = held[code], let window = focusedWindow else { return }
    send(.repeated, key, text: keymap?.text(code: code) ?? "", time: time, to: window)
  }

  private func startRepeat(_ code: UInt32) {
    stopRepeat()
    guard repeatInterval != nil else { return }
    repeatingCode = code
    repeatTimer.time = seat.now + repeatDelay
  }

  private func repeatKey() {
    guard let code = repeatingCode, let key = held[code], let window = focusedWindow, let repeatInterval else { return }
    repeatTimer.time = seat.now + repeatInterval
    send(.repeated, key, text: keymap?.text(code: code) ?? "", time: seat.now, to: window)
    seat.outbox.deliver()
  }

  private func stopRepeat() {
    repeatTimer.time = nil
    repeatingCode = nil
  }

  // MARK: Loss

  /// wl_keyboard.leave: no key is down any more.
  private func leave() {
    isLeaving = false
    isOnPopup = false
    if !held.isEmpty { focusedWindow?.receive(.lost(InputLoss(.keyboardLeft, seat: seat.id))) }
    cancelHeldKeys()
    let window = focusedWindow
    focus = nil
    window?.receive(.keyboardFocus(seat.id, false))
  }

  private func cancelHeldKeys() {
    stopRepeat()
    composer.reset()
    var keys: [Key] = []
    for (_, key) in held.sorted(by: { $0.key < $1.key }) where !keys.contains(key) { keys.append(key) }
    held.removeAll()
    guard let window = focusedWindow else { return }
    for key in keys { send(.cancelled, key, text: "", time: seat.now, to: window) }
  }
}
