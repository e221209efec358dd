import Stage
import Testing
import UICore

@testable import Shell

/// Popups: their place, their press, and the order in which they end.
@MainActor @Suite(.serialized) struct PopupTests {
  /// The place of a button in the window of 64 x 48 points.
  private static let button = Rect(x: 8, y: 4, width: 20, height: 10)

  private func placement(_ size: Size = Size(width: 30, height: 60), _ anchor: Rect = button) -> PopupPlacement {
    PopupPlacement(anchor: anchor, size: size)
  }

  /// Opens a popup by a finger that comes down, or by nothing; the content of it.
  private func open(
    _ show: Show, _ content: TestContent = TestContent(), over parent: Window? = nil,
    by contact: TouchID.Contact? = nil,
    at placement: PopupPlacement? = nil
  ) throws -> (content: TestContent, popup: any PopupWindow, stage: StagePopup) {
    let seat = try #require(show.application?.seats.first?.id)
    let window = try #require(parent ?? show.window)
    let touch = contact.map { TouchID(seat: seat, contact: $0) }
    let popup = try #require(window.showPopup(content, at: placement ?? self.placement(), by: touch))
    show.settle()
    show.refresh()
    return (content, popup, try #require(show.stage.popups.last))
  }

  private func touchDown(_ show: Show) {
    show.seat.touchDown(0, 10, 10)
    show.seat.touchFrame()
    show.settle()
  }

  @Test func `a popup lies under its anchor, is as large as asked for, and gets the fingers on it`() throws {
    try play { show in
      touchDown(show)
      let (content, _, popup) = try open(show, by: .finger(0))
      #expect(popup.frame == Rect(x: 8, y: 14, width: 30, height: 60) && popup.surface.isMapped)
      #expect(popup.surface.buffer?.size == PixelSize(width: 30, height: 60))
      #expect(popup.grabSerial != nil && !popup.isDismissed)
      show.seat.touchUp(0)
      show.seat.touchFrame()
      show.seat.touchDown(1, 5, 6, on: popup.surface)
      show.seat.touchUp(1)
      show.seat.touchFrame()
      show.settle()
      #expect(content.touches == ["1 began 5.0,6.0 + 1 ended"])
      #expect(show.content.touches == ["0 began 10.0,10.0", "0 ended"])
    }
  }

  @Test func `where there is no room below it lies above, and slides along the screen's edge`() throws {
    try play { show in
      // The window's corner is so near to the screen's that 40 points are left at the right, and 70 under it.
      show.stage.windowPlace = Point(x: 1240, y: 650)
      touchDown(show)
      let popup = try open(show, by: .finger(0)).stage
      #expect(popup.frame == Rect(x: 8, y: -56, width: 30, height: 60))
      let wide = try open(show, by: .finger(0), at: placement(Size(width: 60, height: 20))).stage
      #expect(wide.frame == Rect(x: -20, y: 14, width: 60, height: 20))
    }
  }

  @Test func `what fits nowhere is made smaller`() throws {
    try play { show in
      touchDown(show)
      let (content, _, popup) = try open(show, by: .finger(0), at: placement(Size(width: 30, height: 900)))
      #expect(popup.frame == Rect(x: 8, y: 14, width: 30, height: 706))
      #expect(content.sizes.last?.size == Size(width: 30, height: 706))
    }
  }

  @Test(arguments: [(scale: 120, height: 720.0), (180, 480), (240, 360)])
  func `nothing larger than its output is asked for, whether the compositor would make it fit or not`(
    scale: Int, height: Double
  ) throws {
    try play(prepare: { stage, _ in
      stage.scale = Scale(in120ths: scale)
      stage.output.scale = (scale + 119) / 120
    }) { show in
      let (content, _, popup) = try open(
        show, at: PopupPlacement(anchor: Self.button, size: Size(width: 3000, height: 900), adjustment: []))
      #expect(popup.placement.size == Size(width: (height * 1280 / 720).rounded(.down), height: height))
      #expect(content.sizes.last?.size == popup.placement.size)
    }
  }

  @Test(arguments: [StageToplevel.State.fullscreen, .maximized, .tiledLeft], [10.0, 400])
  func `over a window that covers its screen, a popup lies in the window`(state: StageToplevel.State, y: Double) throws
  {
    try play { show in
      show.toplevel.configure(1280, 480, [state])
      show.settle()
      show.refresh()
      let anchor = Rect(x: 1270, y: y, width: 8, height: 20)
      let popup = try open(show, at: placement(Size(width: 100, height: 536), anchor)).stage
      // Below the anchor at 10 there are 450 points, above the one at 400 there are 400.
      let wanted = Rect(x: 1180, y: y < 100 ? 30 : 0, width: 100, height: y < 100 ? 450 : 400)
      let asked = popup.placement.frame(within: Rect(x: -1e6, y: -1e6, width: 2e6, height: 2e6))
      #expect((asked == wanted) == (state != .tiledLeft), "\(asked)")
    }
  }

  @Test func `a popup that is made larger than it asks to be stays as it is`() throws {
    try play { show in
      let (content, _, popup) = try open(show)
      popup.configure(larger: 300)
      show.settle()
      show.refresh()
      #expect(content.sizes.allSatisfy { $0.size == Size(width: 30, height: 60) })
    }
  }

  @Test func `behaviour 41: the finger that opened a menu goes on in it, and ends there`() throws {
    try play { show in
      touchDown(show)
      let content = try open(show, by: .finger(0)).content
      show.seat.touchMotion(0, 10, 12)
      show.seat.touchFrame()
      show.seat.touchMotion(0, 12, 20)
      show.seat.touchFrame()
      show.seat.touchMotion(0, 14, 30)
      show.seat.touchUp(0)
      show.seat.touchFrame()
      show.settle()
      #expect(show.content.touches == ["0 began 10.0,10.0", "0 moved 10.0,12.0", "0 cancelled"])
      #expect(content.touches == ["0 began 4.0,6.0", "0 moved 6.0,16.0 + 0 ended"])
    }
  }

  @Test(arguments: [true, false])
  func
    `behaviour 41: a button that is held goes on in the menu, whether the compositor moves the pointer's focus or not`(
      movesFocus: Bool
    ) throws
  {
    try play { show in
      show.seat.pointerEnter(10, 10)
      show.seat.pointerButton(true)
      show.settle()
      let (content, _, popup) = try open(show, by: .pointer)
      if movesFocus {
        show.seat.pointerLeave()
        show.seat.pointerEnter(4, 6, on: popup.surface)
        show.seat.pointerMotion(6, 16)
      } else {
        show.seat.pointerMotion(12, 20)
        show.seat.pointerMotion(14, 30)
      }
      show.seat.pointerButton(false)
      show.settle()
      #expect(show.content.touches == ["pointer began 10.0,10.0", "pointer cancelled"])
      #expect(content.touches == ["pointer began 4.0,6.0", "pointer moved 6.0,16.0", "pointer ended"])
    }
  }

  @Test func `a button that leaves its window for anything but its menu is over`() throws {
    try play { show in
      show.seat.pointerEnter(10, 10)
      show.seat.pointerButton(true)
      show.settle()
      let (content, _, popup) = try open(show, by: .pointer)
      show.seat.pointerLeave()
      show.settle()
      show.seat.pointerEnter(4, 6, on: popup.surface)
      show.seat.pointerMotion(6, 16)
      show.settle()
      #expect(content.touches.isEmpty && show.content.touches.last == "pointer cancelled")
    }
  }

  @Test
  func
    `behaviour 41: keys stay the window's while the compositor moves their focus to a menu and back, and held ones stay held`()
    throws
  {
    try play { show in
      let (a, s) = (StageKeymap.Code.a, StageKeymap.Code.s)
      show.seat.keyboardEnter()
      touchDown(show)
      let (content, popup, seen) = try open(show, by: .finger(0))
      show.seat.key(a, true)
      show.seat.key(s, true)
      show.seat.keyboardLeave()
      show.seat.keyboardEnter([a], on: seen.surface)
      show.settle()
      #expect(show.content.keys == ["a down", "s down", "s up"])
      popup.close()
      show.settle()
      show.seat.keyboardLeave()
      show.seat.keyboardEnter([a])
      show.seat.key(a, false)
      show.settle()
      #expect(show.content.keys == ["a down", "s down", "s up", "a up"])
      #expect(show.content.calls.filter { $0.hasPrefix("lost") || $0.hasPrefix("focus") } == ["focus"])
      #expect(content.keys.isEmpty && !content.calls.contains("focus"))
    }
  }

  @Test func `keys that leave a menu for another program are lost`() throws {
    try play { show in
      show.seat.keyboardEnter()
      touchDown(show)
      let seen = try open(show, by: .finger(0)).stage
      show.seat.keyboardLeave()
      show.seat.keyboardEnter(on: seen.surface)
      show.seat.key(StageKeymap.Code.a, true)
      show.settle()
      show.seat.keyboardLeave()
      show.settle()
      #expect(show.content.keys == ["a down", "a cancelled"])
      #expect(show.content.calls.contains("lost keyboardLeft") && show.content.calls.last == "focus lost")
    }
  }

  @Test func `a menu that is opened by the press which closes another one is grabbed after that one has ended`() throws
  {
    try play { show in
      touchDown(show)
      let first = try open(show, by: .finger(0))
      let window = try #require(show.window)
      let second = TestContent()
      // As a control does: what was open is closed, and the next one opened, both while the press is delivered.
      show.content.onInput = { [self] in
        guard case .touches(let points) = $0, let press = points.first(where: { $0.phase == .began }) else { return }
        first.popup.close()
        #expect(window.showPopup(second, at: placement(), by: press.id) != nil)
      }
      show.seat.touchDown(1, 40, 10)
      show.seat.touchFrame()
      show.settle()
      show.refresh()
      #expect(show.failure == nil && show.stage.popups.count == 1 && second.life.last == .didBecomeActive)
      #expect(first.content.life.last == .willTerminate && first.content.host == nil)
    }
  }

  @Test func `a second menu of a seat takes the place of the first, and of what lies over that`() throws {
    try play { show in
      touchDown(show)
      let first = try open(show, by: .finger(0))
      let tip = try open(show, over: first.content.host as? Window, at: placement(Size(width: 9, height: 9)))
      let second = try open(show, by: .finger(0))
      #expect(show.stage.popups.count == 1 && second.content.life.last == .didBecomeActive)
      #expect(first.content.life.last == .willTerminate && tip.content.life.last == .willTerminate)
    }
  }

  @Test func `over a popup that takes no input there is no menu`() throws {
    try play { show in
      let tip = try open(show)
      show.seat.touchDown(0, 2, 2, on: tip.stage.surface)
      show.seat.touchFrame()
      show.settle()
      let touch = TouchID(seat: try #require(show.application?.seats.first?.id), contact: .finger(0))
      #expect((tip.content.host as? Window)?.showPopup(TestContent(), at: placement(), by: touch) == nil)
      show.settle()
      #expect(show.stage.popups.count == 1)
    }
  }

  @Test func `a popup that is moved before it is shown moves as soon as it is`() throws {
    try play { show in
      let content = TestContent()
      let popup = try #require(show.window?.showPopup(content, at: placement(), by: nil))
      #expect(popup.move(to: placement(Size(width: 40, height: 30), Rect(x: 0, y: 0, width: 9, height: 9))))
      show.settle()
      show.refresh()
      #expect(show.stage.popups.first?.frame == Rect(x: 0, y: 9, width: 40, height: 30))
    }
  }

  @Test func `a popup at the place in memory of one that went has neither its pointer nor its keys`() throws {
    try play { show in
      var places: Set<ObjectIdentifier> = []
      for _ in 0..<50 {
        let (content, popup, seen) = try open(show)
        let isOld = !places.insert(ObjectIdentifier(try #require(content.host as? Window))).inserted
        content.forget()
        show.content.forget()
        if isOld {
          // What the compositor sent before it read that the other popup had ended.
          show.seat.pointerMotion(3, 3)
          show.settle()
          #expect(content.calls.allSatisfy { $0 != "hover" })
          show.seat.keyboardEnter()
          show.settle()
          #expect(show.content.calls.contains("focus"))
          return
        }
        show.seat.pointerEnter(1, 1, on: seen.surface)
        show.seat.keyboardEnter(on: seen.surface)
        show.settle()
        show.seat.keyboardLeave()
        show.settle()
        popup.close()
        show.settle()
      }
    }
  }

  @Test func `a press that is over opens no menu`() throws {
    try play { show in
      touchDown(show)
      show.seat.touchUp(0)
      show.seat.touchFrame()
      show.settle()
      let seat = try #require(show.application?.seats.first?.id)
      let touch = TouchID(seat: seat, contact: .finger(0))
      #expect(show.window?.showPopup(TestContent(), at: placement(), by: touch) == nil)
      show.settle()
      #expect(show.stage.popups.isEmpty)
    }
  }

  @Test func `a popup that the compositor ends is told, and its window goes on`() throws {
    try play { show in
      touchDown(show)
      let (content, _, popup) = try open(show, by: .finger(0))
      content.forget()
      popup.dismiss()
      show.settle()
      #expect(content.calls.suffix(3) == ["willResignActive", "didEnterBackground", "willTerminate"])
      #expect(show.stage.popups.isEmpty && show.window?.isOpen == true && content.host == nil)
      #expect(show.content.touches == ["0 began 10.0,10.0"])
    }
  }

  @Test(arguments: ["outermost", "window", "compositor", "connection"])
  func `behaviour 42: popups over popups end before what they lie over`(way: String) throws {
    try play { show in
      touchDown(show)
      let first = try open(show, by: .finger(0))
      let window = try #require(first.content.host as? Window)
      show.seat.touchDown(1, 3, 3, on: first.stage.surface)
      show.seat.touchFrame()
      show.settle()
      let second = try open(
        show, over: window, by: .finger(1),
        at: placement(Size(width: 20, height: 20), Rect(x: 0, y: 0, width: 30, height: 9)))
      #expect(show.stage.popups.count == 2 && second.stage.frame == Rect(x: 0, y: 9, width: 20, height: 20))
      switch way {
      case "outermost": first.popup.close()
      case "window": show.window?.close()
      case "compositor": first.stage.dismiss()
      default: show.stage.postProtocolError(code: 9, "the end")
      }
      show.settle()
      #expect(first.content.life.last == .willTerminate && second.content.life.last == .willTerminate)
      if way != "connection" { #expect(show.stage.popups.isEmpty) }
    }
  }

  @Test func `a popup without a press takes no input, and leaves fingers alone`() throws {
    try play { show in
      touchDown(show)
      let content = TestContent()
      content.inputArea = []
      let popup = try open(show, content).stage
      #expect(popup.grabSerial == nil && popup.surface.inputRegion == Region())
      show.seat.touchMotion(0, 10, 20)
      show.seat.touchFrame()
      show.settle()
      #expect(show.content.touches == ["0 began 10.0,10.0", "0 moved 10.0,20.0"] && content.touches.isEmpty)
    }
  }

  @Test func `a popup has its parent's scale from the first frame, and draws what changed`() throws {
    let stage = Stage()
    stage.scale = Scale(1.5)
    try play(stage: stage) { show in
      show.refresh()
      let (content, _, popup) = try open(show, at: placement(Size(width: 20, height: 20)))
      #expect(content.sizes.map(\.scale) == [Scale(1.5)])
      #expect(popup.surface.contentCommits.allSatisfy { $0.bufferSize == PixelSize(width: 30, height: 30) })
      show.refresh()
      popup.surface.forgetCommits()
      content.paint(PixelRect(x: 1, y: 2, width: 3, height: 4))
      show.refresh()
      #expect(popup.surface.contentCommits.map(\.damagedPixels) == [12])
    }
  }

  @Test(arguments: [Int32(6), 3, 2])
  func `a popup moves where xdg-shell lets it, which is since version 3`(version: Int32) throws {
    var globals = StageGlobals.everything
    globals.windowBase = version
    try play(globals) { show in
      let (content, popup, seen) = try open(show)
      #expect(
        popup.move(to: placement(Size(width: 40, height: 30), Rect(x: 0, y: 0, width: 9, height: 9))) == (version > 2))
      show.settle()
      show.refresh()
      guard version > 2 else { return }
      #expect(seen.frame == Rect(x: 0, y: 9, width: 40, height: 30) && seen.moves == [1])
      #expect(content.sizes.last?.size == Size(width: 40, height: 30))
      popup.close()
      show.settle()
      #expect(!popup.move(to: placement()))
    }
  }

  @Test func `an anchor beyond the window counts as far as it lies in it`() throws {
    try play { show in
      let popup = try open(show, at: placement(Size(width: 9, height: 9), Rect(x: -20, y: 40, width: 500, height: 50)))
      #expect(popup.stage.placement.anchor == Rect(x: 0, y: 40, width: 64, height: 8))
      let far = try open(show, at: placement(Size(width: 9, height: 9), Rect(x: 900, y: -40, width: 5, height: 5)))
      #expect(far.stage.placement.anchor == Rect(x: 63, y: 0, width: 1, height: 1))
      for bad in [Rect(x: .nan, y: 0, width: 1, height: 1), Rect(x: 0, y: 0, width: .infinity, height: 1)] {
        #expect(show.window?.showPopup(TestContent(), at: placement(Size(width: 9, height: 9), bad), by: nil) == nil)
      }
    }
  }

  @Test func `a strip has popups; a surface of a car's display has none`() throws {
    var globals = StageGlobals.everything
    (globals.layerShell, globals.ivi) = (4, 1)
    try play(globals) { _, options in
      options.role = .strip(.top)
    } _: { show in
      let strip = try #require(show.stage.layerSurfaces.first)
      strip.configure(320, 48)
      show.settle()
      show.refresh()
      let popup = try open(show).stage
      #expect(popup.surface.isMapped && popup.frame.origin == Point(x: 8, y: 14))
    }
    try play(globals) { _, options in
      options.role = .ivi(id: 7)
    } _: { show in
      #expect(show.window?.showPopup(TestContent(), at: placement(), by: nil) == nil)
    }
  }
}
