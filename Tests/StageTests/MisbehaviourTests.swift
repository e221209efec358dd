// Each check catches the client that misbehaves in just its way.

import Interface
import Stage
import Testing
import Wayland
import WaylandServer

@MainActor @Suite(.serialized) struct MisbehaviourTests {
  private func rules(_ stage: Stage) -> [Violation.Rule] { stage.violations.map(\.rule) }

  @Test func `writing into a held buffer`() throws {
    let stage = Stage()
    stage.releasePolicy = .byHand
    let client = try RawClient(stage)
    let window = try RawWindow.configured(client)
    let buffer = try RawBuffer(client, 20, 10)
    window.show(buffer)
    buffer.fill(0xffff_0000, PixelRect(x: 7, y: 8, width: 1, height: 1))
    stage.step()
    stage.step()
    #expect(rules(stage) == [.heldBufferWritten])
    #expect(stage.violations.first?.message.contains("(7, 8)") == true)
    stage.releaseBuffers()
    client.settle()
    buffer.fill(0)
    stage.step()
    #expect(rules(stage) == [.heldBufferWritten])
  }

  @Test func `writing into a buffer that was destroyed while it was held`() throws {
    let stage = Stage()
    stage.releasePolicy = .whenReplaced
    let client = try RawClient(stage)
    let window = try RawWindow.configured(client)
    let buffer = try RawBuffer(client, 20, 10)
    window.show(buffer)
    buffer.buffer.end()
    client.settle()
    #expect(stage.notes.count == 1 && stage.violations.isEmpty)
    buffer.fill(0)
    stage.step()
    #expect(rules(stage) == [.heldBufferWritten])
  }

  @Test func `a pixel changed outside the damage`() throws {
    let stage = Stage()
    let client = try RawClient(stage)
    let window = try RawWindow.configured(client)
    window.show(try RawBuffer(client, 20, 10))
    let second = try RawBuffer(client, 20, 10)
    second.fill(0xffff_ffff, PixelRect(x: 5, y: 5, width: 3, height: 2))
    window.show(second, damage: [PixelRect(x: 5, y: 5, width: 2, height: 2)])
    #expect(rules(stage) == [.damageLies])
    #expect(stage.violations.first?.message.contains("(7, 5)") == true)
  }

  @Test func `a first picture of a size without damage all over`() throws {
    let stage = Stage()
    let client = try RawClient(stage)
    let window = try RawWindow.configured(client)
    window.show(try RawBuffer(client, 20, 10), damage: [PixelRect(x: 0, y: 0, width: 20, height: 9)])
    #expect(rules(stage) == [.damageLies])
  }

  @Test func `damage in surface coordinates is mapped to the buffer`() throws {
    let stage = Stage(globals: .sway17)
    stage.scale = Scale(2.0)
    stage.output.scale = 2
    let client = try RawClient(stage)
    let window = try RawWindow.configured(client)
    stage.toplevel.surface.enter(stage.output)
    stage.step()
    window.surface.setBufferScale(scale: 2)
    window.show(try RawBuffer(client, 20, 10))
    let second = try RawBuffer(client, 20, 10)
    second.fill(0xffff_ffff, PixelRect(x: 4, y: 4, width: 2, height: 2))
    window.surface.damage(x: 2, y: 2, width: 1, height: 1)
    window.show(second, damage: [])
    #expect(rules(stage) == [])
    #expect(stage.toplevel.surface.commits.last?.damagedPixels == 4)
  }

  @Test func `damage without a buffer`() throws {
    let stage = Stage()
    let client = try RawClient(stage)
    let window = try RawWindow.configured(client)
    window.show(try RawBuffer(client, 8, 8))
    window.surface.damageBuffer(x: 0, y: 0, width: 8, height: 8)
    window.surface.commit()
    client.settle()
    #expect(rules(stage) == [.damageWithoutBuffer])
  }

  @Test func `an opaque region over pixels that are not`() throws {
    let stage = Stage()
    let client = try RawClient(stage)
    let window = try RawWindow.configured(client)
    let region = try #require(client.compositor).createRegion()
    region.add(x: 0, y: 0, width: .max, height: .max)
    window.surface.setOpaqueRegion(region: region)
    region.destroy()
    let buffer = try RawBuffer(client, 8, 8)
    window.show(buffer)
    #expect(rules(stage) == [])
    let second = try RawBuffer(client, 8, 8)
    second.fill(0x8000_0000, PixelRect(x: 1, y: 1, width: 1, height: 1))
    window.show(second)
    #expect(rules(stage) == [.opaqueRegionLies])
  }

  @Test func `a buffer before the first configure`() throws {
    let stage = Stage()
    stage.initialConfigure = nil
    let client = try RawClient(stage)
    let window = try RawWindow(client)
    window.show(try RawBuffer(client, 8, 8))
    #expect(rules(stage) == [.bufferBeforeConfigure])
    guard case .protocolError(let interface, let code, _) = stage.clients.first?.end else {
      Issue.record("the client lives")
      return
    }
    #expect(interface == "xdg_surface" && code == 3)
  }

  @Test func `a buffer after a configure that was not acknowledged`() throws {
    let stage = Stage()
    let client = try RawClient(stage)
    let window = try RawWindow(client)
    window.surface.commit()
    client.settle()
    window.show(try RawBuffer(client, 8, 8))
    #expect(rules(stage) == [.bufferBeforeConfigure])
  }

  @Test func `an acknowledged serial that was never sent, or was passed over`() throws {
    let stage = Stage()
    let client = try RawClient(stage)
    let window = try RawWindow.configured(client)
    window.xdg.ackConfigure(serial: 4711)
    client.settle()
    #expect(rules(stage) == [.unknownSerial])

    let second = Stage()
    let other = try RawClient(second)
    let late = try RawWindow.configured(other)
    late.surface.commit()
    second.toplevel.configure(10, 10)
    second.toplevel.configure(20, 20)
    other.settle()
    late.ack()
    late.xdg.ackConfigure(serial: late.serials[1])
    other.settle()
    #expect(rules(second) == [.unknownSerial])
  }

  @Test func `an acknowledgement without a commit`() throws {
    let stage = Stage()
    let client = try RawClient(stage)
    let window = try RawWindow.configured(client)
    window.show(try RawBuffer(client, 8, 8))
    stage.toplevel.configure(8, 8)
    client.settle()
    window.ack()
    client.settle()
    #expect(rules(stage) == [.ackWithoutCommit])
  }

  @Test func `a configure that is never answered`() throws {
    let stage = Stage()
    let client = try RawClient(stage)
    let window = try RawWindow.configured(client)
    window.show(try RawBuffer(client, 8, 8))
    stage.toplevel.configure(8, 8)
    client.settle()
    #expect(stage.finish().map(\.rule) == [.configureUnanswered])
    #expect(window.serials.count == 2)
  }

  @Test(arguments: [XdgToplevelResource.State.fullscreen, .maximized])
  func `a size that is not the configured one`(state: XdgToplevelResource.State) throws {
    let stage = Stage()
    stage.initialConfigure = Configure(width: 20, height: 10, states: [state])
    let client = try RawClient(stage)
    let window = try RawWindow.configured(client)
    window.show(try RawBuffer(client, 20, 11))
    #expect(rules(stage) == [.wrongSize])
    guard case .protocolError(let interface, let code, _) = stage.clients.first?.end else {
      Issue.record("the client lives")
      return
    }
    #expect(interface == "xdg_wm_base" && code == 4)
  }

  @Test func `a floating window that is not as large as it was told, unless it says that it can't be so small`() throws
  {
    let stage = Stage()
    stage.initialConfigure = Configure(width: 20, height: 10)
    let client = try RawClient(stage)
    let window = try RawWindow.configured(client)
    window.toplevel.setMinSize(width: 24, height: 4)
    window.show(try RawBuffer(client, 24, 10))
    #expect(rules(stage) == [])
    window.show(try RawBuffer(client, 25, 10))
    #expect(rules(stage) == [.wrongSize])
  }

  @Test func `a buffer that its scale does not divide`() throws {
    let stage = Stage()
    let client = try RawClient(stage)
    let window = try RawWindow.configured(client)
    window.surface.setBufferScale(scale: 2)
    window.show(try RawBuffer(client, 7, 8))
    #expect(rules(stage).first == .wrongBufferSize)
  }

  @Test func `new content while a frame callback is pending, unless a new size came`() throws {
    let stage = Stage()
    let client = try RawClient(stage)
    let window = try RawWindow.configured(client)
    window.show(try RawBuffer(client, 8, 8), frame: true)
    stage.toplevel.configure(9, 8)
    client.settle()
    window.ack()
    window.show(try RawBuffer(client, 9, 8))
    #expect(rules(stage) == [])
    window.show(try RawBuffer(client, 9, 8))
    #expect(rules(stage) == [.commitBeforeFrameCallback])
  }

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
      #expect(rules(stage) == [.destroyOrder], "case \(wrong)")
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
    let client = try RawClient(stage)
    let window = try RawWindow.configured(client)
    let seat = try #require(client.seat)
    let pointer = seat.getPointer()
    window.show(try RawBuffer(client, 8, 8))
    stage.seat.pointerEnter(1, 1)
    let press = stage.seat.pointerButton(true)
    client.settle()
    pointer.setCursor(serial: press, surface: nil, hotspotX: 0, hotspotY: 0)
    client.settle()
    #expect(rules(stage) == [.wrongSerial])
    window.toplevel.move(seat: seat, serial: press)
    client.settle()
    #expect(rules(stage) == [.wrongSerial] && stage.toplevel.requests == [.move(serial: press)])
    stage.seat.pointerButton(false)
    client.settle()
    window.toplevel.move(seat: seat, serial: press)
    client.settle()
    #expect(rules(stage) == [.wrongSerial, .wrongSerial])
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

  @Test func `an error of libwayland's own`() throws {
    let stage = Stage()
    let client = try RawClient(stage)
    let buffer = try RawBuffer(client, 8, 8)
    buffer.pool.resize(size: -1)
    client.settle()
    #expect(rules(stage) == [.protocolError])
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
