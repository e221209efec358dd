import CXkbcommon
import Glibc
import Stage
import Testing
import UICore
import Wayland
import WaylandServer

/// Tests that a script's input arrives as it was sent.
@MainActor @Suite(.serialized) struct InputTests {
  private let stage = Stage()

  @Test func `fingers send what the script says and nothing more`() throws {
    let window = try RawWindow.configured(on: stage)
    let touch = try #require(window.client.seat).getTouch()
    var seen: [String] = []
    touch.onEvent = { event in
      switch event {
      case .down(_, let time, _, let id, let x, let y): seen.append("down \(time) \(id) \(x) \(y)")
      case .motion(_, let id, let x, let y): seen.append("motion \(id) \(x) \(y)")
      case .up(_, _, let id): seen.append("up \(id)")
      case .frame: seen.append("frame")
      case .cancel: seen.append("cancel")
      default: seen.append("other")
      }
    }
    window.show(try RawBuffer(window.client, 8, 8))
    stage.seat.touchDown(3, 1.5, 2)
    stage.seat.touchFrame()
    stage.seat.touchMotion(3, 4, 5)
    stage.seat.touchUp(3)
    stage.seat.touchMotion(9, 6, 7)
    stage.seat.touchCancel()
    window.client.settle()
    #expect(
      seen == ["down 10000 3 1.5 2.0", "frame", "motion 3 4.0 5.0", "up 3", "motion 9 6.0 7.0", "cancel"])
  }

  @Test func `the simple keymap is one that xkbcommon reads`() throws {
    let context = try #require(xkb_context_new(XKB_CONTEXT_NO_FLAGS))
    defer { xkb_context_unref(context) }
    let keymap = try #require(
      xkb_keymap_new_from_string(
        context, StageKeymap.simple.text, XKB_KEYMAP_FORMAT_TEXT_V1, XKB_KEYMAP_COMPILE_NO_FLAGS))
    defer { xkb_keymap_unref(keymap) }
    let state = try #require(xkb_state_new(keymap))
    defer { xkb_state_unref(state) }
    #expect(xkb_state_key_get_one_sym(state, StageKeymap.Code.a + 8) == 0x61)
    xkb_state_update_key(state, StageKeymap.Code.shift + 8, XKB_KEY_DOWN)
    #expect(xkb_state_key_get_one_sym(state, StageKeymap.Code.a + 8) == 0x41)
    #expect(xkb_state_key_get_one_sym(state, StageKeymap.Code.tab + 8) == 0xfe20)
  }

  @Test func `keyboards get a keymap, a repeat rate, focus and keys`() throws {
    let window = try RawWindow.configured(on: stage)
    let keyboard = try #require(window.client.seat).getKeyboard()
    var seen: [String] = []
    keyboard.onEvent = { event in
      switch event {
      case .keymap(_, let file, let size):
        let isWhole = Int(size) == StageKeymap.simple.text.utf8.count + 1
        seen.append("keymap \(file.take() != nil && isWhole)")
      case .repeatInfo(let rate, let delay): seen.append("repeat \(rate) \(delay)")
      case .enter(_, _, let keys): seen.append("enter \(keys.count)")
      case .key(_, _, let key, let state): seen.append("key \(key) \(state.rawValue)")
      case .modifiers(_, let held, _, _, _): seen.append("modifiers \(held)")
      case .leave: seen.append("leave")
      }
    }
    window.show(try RawBuffer(window.client, 8, 8))
    stage.seat.keyboardEnter([30])
    stage.seat.key(StageKeymap.Code.s, true)
    stage.seat.keyboardLeave()
    stage.seat.key(StageKeymap.Code.s, false)
    window.client.settle()
    #expect(seen == ["keymap true", "repeat 25 600", "enter 1", "modifiers 0", "key 31 1", "leave"])
  }

  @Test func `a keyboard that is made while its client has the focus enters at once`() throws {
    let window = try RawWindow.configured(on: stage)
    window.show(try RawBuffer(window.client, 8, 8))
    stage.seat.keyboardEnter()
    let keyboard = try #require(window.client.seat).getKeyboard()
    var seen: [String] = []
    keyboard.onEvent = { event in
      switch event {
      case .enter: seen.append("enter")
      case .key: seen.append("key")
      default: break
      }
    }
    window.client.settle()
    stage.seat.key(StageKeymap.Code.s, true)
    window.client.settle()
    #expect(seen == ["enter", "key"])
  }

  @Test func `unread bytes are counted, and a client that never reads is ended by libwayland`() throws {
    let client = try RawClient(stage, sendBuffer: 4608)
    let window = try RawWindow.configured(client)
    let pointer = try #require(client.seat).getPointer()
    window.show(try RawBuffer(client, 8, 8))
    stage.seat.pointerEnter(1, 1)
    stage.step()
    let before = try #require(stage.clients.first).unreadBytes
    #expect(before > 0)
    for round in 0..<2000 {
      stage.seat.pointerMotion(Double(round), 1)
      if round % 50 == 0 { stage.step() }
    }
    client.turn()
    stage.step()
    #expect(stage.clients.first?.end == .unread)
    #expect(stage.violations.map(\.rule) == [.unreadEvents])
    #expect(pointer.isAlive)
  }

  @Test func `what a script keeps longer than the stage does nothing`() throws {
    var stage: Stage? = Stage(globals: .desktop)
    let desktop = stage?.manage()
    let (seat, output, pen) = (stage?.seat, stage?.output, stage?.seat.addPen())
    do {
      let window = try RawWindow.shown(on: try #require(stage), 20, 10)
      window.client.settle()
      withExtendedLifetime(window) {}
    }
    let toplevel = stage?.toplevel
    #expect(toplevel?.surface.isMapped == true)
    weak var gone: Stage?
    gone = stage
    stage = nil
    #expect(gone == nil)
    #expect(toplevel?.configure(100, 100) == 0 && seat?.touchDown(0, 1, 1) == 0 && pen?.down() == 0)
    toplevel?.suspend()
    toplevel?.close()
    seat?.keyboardEnter()
    output?.announce()
    desktop?.movePointer(to: Point(x: 1, y: 1))
    if let surface = toplevel?.surface { desktop?.activate(surface) }
    #expect(desktop?.screen == .zero)
  }
}
