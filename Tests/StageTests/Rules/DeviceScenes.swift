import CLinux
import ClientProtocols
import Glibc
import Stage
import Testing
import UICore
import Wayland
import WaylandServer

extension RuleScene {
  /// Devices, text and data between clients.
  @MainActor static let devices: [Violation.Rule: RuleScene] = [
    .missingCapability: RuleScene(capabilities: .touch) {
      let seat = try #require($0.client.seat)
      if $1 { $0.keep(seat.getKeyboard()) } else { $0.keep(seat.getTouch()) }
    },
    .wrongSerial: RuleScene {
      let (window, press) = (try $0.shownWindow(), try $0.press())
      window.toplevel.move(seat: try #require($0.client.seat), serial: $1 ? press &+ 1 : press)
    },
    .cursorRole: RuleScene {
      let window = try $0.shownWindow()
      let (pointer, serial) = try $0.enter()
      pointer.setCursor(serial: serial, surface: $1 ? window.surface : try $0.surface(), hotspotX: 0, hotspotY: 0)
    },
    .toolCursorRole: RuleScene { actor, isBroken in
      let window = try actor.shownWindow()
      let seat = try actor.global(ZwpTabletManagerV2.self).getTabletSeat(seat: try #require(actor.client.seat))
      var tool: ZwpTabletToolV2?
      var serial: UInt32 = 0
      actor.keep(seat).onEvent = {
        guard case .toolAdded(let made) = $0 else { return }
        tool = actor.keep(made)
        made.onEvent = { if case .proximityIn(let new, _, _) = $0 { serial = new } }
      }
      let pen = actor.stage.seat.addPen()
      actor.settle()
      pen.enterProximity()
      pen.frame()
      actor.settle()
      tool?.setCursor(
        serial: serial, surface: isBroken ? window.surface : try actor.surface(), hotspotX: 0, hotspotY: 0)
    },
    .invalidShape: RuleScene {
      _ = try $0.shownWindow()
      let (pointer, serial) = try $0.enter()
      let device = $0.keep(try $0.global(WpCursorShapeManagerV1.self).getPointer(pointer: pointer))
      device.setShape(serial: serial, shape: WpCursorShapeDeviceV1.Shape(rawValue: $1 ? 35 : 1))
    },
    .alreadyConstrained: RuleScene {
      $0.client.close()
      let wire = $0.keep(try WireClient($0.stage))
      wire.request(1, 1, [2])
      wire.bind("wl_compositor", 4, id: 3)
      wire.bind("wl_seat", 5, id: 4)
      wire.bind("zwp_pointer_constraints_v1", 1, id: 5)
      wire.request(3, 0, [6])
      wire.request(3, 0, [7])
      wire.request(4, 0, [8])
      wire.request(5, 1, [9, 6, 8, 0, 1])
      wire.request(5, 2, [10, $1 ? 6 : 7, 8, 0, 1])
    },
    .shortcutsInhibited: RuleScene {
      let (manager, seat) = (try $0.global(ZwpKeyboardShortcutsInhibitManagerV1.self), try #require($0.client.seat))
      let surface = try $0.surface()
      $0.keep(manager.inhibitShortcuts(surface: surface, seat: seat))
      $0.keep(manager.inhibitShortcuts(surface: $1 ? surface : try $0.surface(), seat: seat))
    },
    .textTooLong: RuleScene {
      let input = try $0.textInput()
      input.enable()
      input.setSurroundingText(text: String(repeating: "a", count: $1 ? 4001 : 4000), cursor: 0, anchor: 0)
      input.commit()
    },
    .textPositionOutside: RuleScene {
      let input = try $0.textInput()
      input.enable()
      input.setSurroundingText(text: "über", cursor: $1 ? 1 : 2, anchor: 0)
      input.commit()
    },
    .textInputDisabled: RuleScene {
      let input = try $0.textInput()
      if !$1 { input.enable() }
      input.setCursorRectangle(x: 0, y: 0, width: 1, height: 9)
      input.commit()
    },
    .sourceActions: RuleScene { try $0.source().setActions(dndActions: .init(rawValue: $1 ? 8 : 7)) },
    .sourceMisused: RuleScene {
      let source = try $0.source()
      source.setActions(dndActions: .copy)
      if $1 { source.setActions(dndActions: .move) }
    },
    .sourceUsedTwice: RuleScene {
      let (source, device) = (try $0.source(), try $0.device())
      device.setSelection(source: source, serial: 1)
      device.setSelection(source: $1 ? source : try $0.source(), serial: 2)
    },
    .dragIconRole: RuleScene {
      let (window, press) = (try $0.shownWindow(), try $0.press())
      try $0.device().startDrag(
        source: try $0.source(), origin: window.surface, icon: $1 ? window.surface : try $0.surface(), serial: press)
    },
    .offerActions: RuleScene {
      let (_, offer) = try $0.drag()
      offer.setActions(dndActions: .init(rawValue: $1 ? 8 : 1), preferredAction: .init(rawValue: 0))
    },
    .offerPreferredAction: RuleScene {
      let (_, offer) = try $0.drag()
      offer.setActions(dndActions: [.copy], preferredAction: $1 ? .move : .copy)
    },
    .offerMisused: RuleScene {
      let offer = $1 ? try $0.selection() : try $0.drag().offer
      offer.setActions(dndActions: .copy, preferredAction: .copy)
    },
    .finishTooEarly: RuleScene {
      let (drag, offer) = try $0.drag()
      offer.accept(serial: 1, mimeType: "text/plain")
      if !$1 { offer.setActions(dndActions: .copy, preferredAction: .copy) }
      $0.settle()
      drag.drop()
      $0.settle()
      offer.finish()
    },
    .typeNotOffered: RuleScene {
      let offer = try $0.selection()
      var ends: [Int32] = [-1, -1]
      try #require(cockpit_pipe(&ends) == 0)
      offer.receive(mimeType: $1 ? "image/png" : "text/plain", fd: ends[1])
      $0.settle()
      ends.forEach { close($0) }
    },
    .tokenUsed: RuleScene {
      let token = $0.keep(try $0.global(XdgActivationV1.self).getActivationToken())
      token.commit()
      if $1 { token.setAppId(appId: "late") }
    },
  ]
}

extension RuleActor {
  /// A pointer that has entered the first window, and the serial of that.
  func enter() throws -> (WlPointer, UInt32) {
    let pointer = keep(try #require(client.seat).getPointer())
    var serial: UInt32 = 0
    pointer.onEvent = { if case .enter(let new, _, _, _) = $0 { serial = new } }
    settle()
    stage.seat.pointerEnter(1, 1)
    settle()
    return (pointer, serial)
  }

  /// A text input that has entered the first window.
  func textInput() throws -> ZwpTextInputV3 {
    _ = try shownWindow()
    let input = keep(try global(ZwpTextInputManagerV3.self).getTextInput(seat: try #require(client.seat)))
    settle()
    stage.seat.textInputs.first?.enter()
    settle()
    return input
  }

  func source() throws -> WlDataSource { keep(try global(WlDataDeviceManager.self).createDataSource()) }

  func device() throws -> WlDataDevice {
    keep(try global(WlDataDeviceManager.self).getDataDevice(seat: try #require(client.seat)))
  }

  /// A drag of plain text from elsewhere over the first window.
  func drag() throws -> (drag: StageDrag, offer: WlDataOffer) {
    _ = try shownWindow()
    let offer = try offers()
    let drag = keep(try #require(stage.dragElsewhere("text", as: "text/plain")))
    settle()
    return (drag, try #require(offer()))
  }

  /// Plain text that was copied elsewhere.
  func selection() throws -> WlDataOffer {
    let offer = try offers()
    stage.copyElsewhere("text", as: "text/plain")
    settle()
    return try #require(offer())
  }

  /// Listens for an offer; the result returns the newest.
  private func offers() throws -> () -> WlDataOffer? {
    let device = try device()
    var offer: WlDataOffer?
    device.onEvent = { [unowned self] in if case .dataOffer(let made) = $0 { offer = keep(made) } }
    settle()
    return { offer }
  }
}
