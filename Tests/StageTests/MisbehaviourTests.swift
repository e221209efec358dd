import Glibc
import Stage
import Testing
import UICore
import Wayland
import WaylandServer

/// Clients that misbehave with objects, devices and errors: each check catches just its own.
@MainActor @Suite(.serialized) struct MisbehaviourTests {
  private func rules(_ stage: Stage) -> [Violation.Rule] { stage.violations.map(\.rule) }

  @Test func `the roles destroyed in the wrong order`() throws {
    for wrong in 0..<4 {
      let stage = Stage()
      let client = try RawClient(stage)
      let window = try RawWindow(client)
      let decoration = try #require(client.bind(ZxdgDecorationManagerV1.self))
        .getToplevelDecoration(toplevel: window.toplevel)
      window.surface.commit()
      client.settle()
      switch wrong {
      case 0: window.surface.end()
      case 1: window.xdg.end()
      case 2: window.toplevel.end()
      default: client.base?.end()
      }
      client.settle()
      let expected: [Violation.Rule] = [
        .surfaceBeforeRole, .xdgSurfaceBeforeRole, .toplevelBeforeDecoration, .baseBeforeSurfaces,
      ]
      #expect(rules(stage) == [expected[wrong]])
      #expect(decoration.isAlive)
    }
  }

  @Test func `a device of a seat that never had one`() throws {
    let stage = Stage(capabilities: .touch)
    let client = try RawClient(stage)
    _ = client.seat?.getKeyboard()
    client.settle()
    #expect(rules(stage) == [.missingCapability])
  }

  @Test func `a cursor, or a move, with a serial that does not allow it`() throws {
    let stage = Stage()
    let window = try RawWindow.configured(on: stage)
    let seat = try #require(window.client.seat)
    let pointer = seat.getPointer()
    window.show(try RawBuffer(window.client, 8, 8))
    stage.seat.pointerEnter(1, 1)
    let press = stage.seat.pointerButton(true)
    window.client.settle()
    pointer.setCursor(serial: press, surface: nil, hotspotX: 0, hotspotY: 0)
    window.client.settle()
    #expect(rules(stage) == [.wrongSerial])
    window.toplevel.move(seat: seat, serial: press)
    window.client.settle()
    #expect(rules(stage) == [.wrongSerial] && stage.toplevel.requests == [.move(serial: press)])
    stage.seat.pointerButton(false)
    window.client.settle()
    window.toplevel.move(seat: seat, serial: press)
    window.client.settle()
    #expect(rules(stage) == [.wrongSerial, .wrongSerial])
  }

  @Test func `a second menu before the first has ended, and a move of a popup that is not shown`() throws {
    let stage = Stage()
    let window = try RawWindow.shown(on: stage, 64, 48)
    let client = window.client
    let (base, seat, compositor) = (
      try #require(client.base), try #require(client.seat), try #require(client.compositor)
    )
    let touch = seat.getTouch()
    client.settle()
    func positioner() -> XdgPositioner {
      let made = base.createPositioner()
      made.setSize(width: 9, height: 9)
      made.setAnchorRect(x: 0, y: 0, width: 9, height: 9)
      return made
    }
    func popup(_ serial: UInt32) -> (WlSurface, XdgSurface, XdgPopup) {
      let surface = compositor.createSurface()
      let xdg = base.getXdgSurface(surface: surface)
      let popup = xdg.getPopup(parent: window.xdg, positioner: positioner())
      popup.grab(seat: seat, serial: serial)
      surface.commit()
      return (surface, xdg, popup)
    }
    let serial = stage.seat.touchDown(0, 1, 1)
    client.settle()
    let first = popup(serial)
    client.settle()
    #expect(rules(stage) == [] && stage.popups.count == 1)
    first.2.reposition(positioner: positioner(), token: 1)
    client.settle()
    #expect(rules(stage) == [.movedBeforeShown])
    let second = popup(serial)
    client.settle()
    guard case .protocolError("xdg_wm_base", let code, _) = stage.clients.first?.end else {
      Issue.record("the client lives")
      return
    }
    #expect(code == XdgWmBaseResource.ErrorCode.notTheTopmostPopup.rawValue && second.2.isAlive && touch.isAlive)
  }

  @Test(arguments: [true, false]) func `a drag that is finished without an action, or with one`(hasAction: Bool) throws
  {
    let stage = Stage()
    stage.givesDragActions = hasAction
    let window = try RawWindow.shown(on: stage, 8, 8)
    let manager = try #require(window.client.bind(WlDataDeviceManager.self))
    let device = manager.getDataDevice(seat: try #require(window.client.seat))
    var offer: WlDataOffer?
    device.onEvent = { if case .dataOffer(let made) = $0 { offer = made } }
    window.client.settle()
    let drag = try #require(stage.dragElsewhere("file:///a", as: "text/uri-list"))
    window.client.settle()
    offer?.accept(serial: 1, mimeType: "text/uri-list")
    offer?.setActions(dndActions: .copy, preferredAction: .copy)
    window.client.settle()
    drag.drop()
    window.client.settle()
    offer?.finish()
    window.client.settle()
    #expect(rules(stage) == (hasAction ? [] : [.finishTooEarly]) && drag.isFinished)
  }

  @Test func `objects left when the client goes`() throws {
    let stage = Stage()
    do {
      let client = try RawClient(stage)
      let buffer = try RawBuffer(client, 8, 8)
      client.settle()
      buffer.pool.end()
      client.seat?.discard()
      client.close()
      #expect(buffer.buffer.isAlive)
    }
    #expect(stage.clients.first?.end == .closed)
    #expect(rules(stage) == [.objectsLeft])
    let message = stage.violations.first?.message ?? ""
    #expect(message.contains("wl_buffer@") && message.contains("wl_seat@") && !message.contains("wl_output@"))
  }

  @Test(arguments: [true, false])
  func `the last requests of a client in another process say which objects it leaves`(releases: Bool) throws {
    let stage = Stage()
    let socket = try #require(stage.connectClient(isRemote: true))
    func send(_ object: UInt32, _ opcode: UInt32, _ words: [UInt32]) {
      let message = [object, UInt32(words.count * 4 + 8) << 16 | opcode] + words
      _ = message.withUnsafeBytes { write(socket, $0.baseAddress, $0.count) }
    }
    send(1, 1, [2])
    stage.step()
    var words = [UInt32](repeating: 0, count: 1024)
    let count = read(socket, &words, 4096) / 4
    // "wl_seat" with its end is two words; before it are its length and the global's number.
    let text = Array("wl_seat\0".utf8).withUnsafeBytes { Array($0.bindMemory(to: UInt32.self)) }
    let place = try #require((2..<count - 1).first { words[$0] == text[0] && words[$0 + 1] == text[1] })
    send(2, 0, [words[place - 2], 8] + text + [5, 3])
    stage.step()
    #expect(stage.clients.first?.objects.map(\.description).contains("wl_seat@3") == true)
    if releases { send(3, 3, []) }
    close(socket)
    stage.step()
    stage.step()
    #expect(rules(stage) == (releases ? [] : [.objectsLeft]))
  }

  @Test func `a pool of a negative size`() throws {
    let stage = Stage()
    let client = try RawClient(stage)
    let buffer = try RawBuffer(client, 8, 8)
    buffer.pool.resize(size: -1)
    client.settle()
    #expect(rules(stage) == [.poolShrunk])
  }

  @Test func `a ping that nobody answers`() throws {
    let stage = Stage()
    let client = try RawClient(stage)
    stage.ping()
    client.settle()
    #expect(stage.finish().map(\.rule) == [.pingUnanswered])
  }

  @Test func `an error that the script posts is no violation`() throws {
    let stage = Stage()
    let client = try RawClient(stage)
    stage.postProtocolError(code: 7, "for the test")
    client.settle()
    client.close()
    #expect(rules(stage) == [])
    guard case .protocolError(_, let code, let message) = stage.clients.first?.end else {
      Issue.record("the client lives")
      return
    }
    #expect(code == 7 && message == "for the test")
  }

  @Test func `hanging up ends the client without a complaint`() throws {
    let stage = Stage()
    let client = try RawClient(stage)
    stage.clients.first?.hangUp()
    #expect(stage.clients.first?.end == .hungUp)
    client.turn()
    #expect(stage.finish() == [])
  }
}
