import Shell
import Stage
import Testing
import UICore

/// The pointer: its button as a finger, its picture.
@MainActor @Suite(.serialized) struct PointerTests {
  @Test func `the primary button is a finger, others are not`() throws {
    try play { show in
      show.seat.pointerEnter(5, 6)
      show.seat.pointerButton(true, button: StageSeat.rightButton)
      show.seat.pointerButton(false, button: StageSeat.rightButton)
      show.seat.pointerButton(true)
      show.seat.pointerMotion(7, 8)
      show.seat.pointerButton(false)
      show.settle()
      #expect(show.content.touches == ["pointer began 5.0,6.0", "pointer moved 7.0,8.0", "pointer ended"])
    }
  }

  @Test func `a pointer that leaves or goes lets go`() throws {
    try play { show in
      show.seat.pointerEnter(5, 6)
      show.seat.pointerButton(true)
      show.seat.pointerLeave()
      show.settle()
      #expect(show.content.touches.last == "pointer cancelled")
      #expect(show.content.events.last == .hover(hoverSeat(show), nil))
      show.seat.pointerEnter(1, 1)
      show.seat.pointerButton(true)
      show.settle()
      show.seat.capabilities = .touch
      show.settle()
      #expect(show.content.touches.suffix(2) == ["pointer began 1.0,1.0", "pointer cancelled"])
      #expect(show.seat.inertCount == 0)
    }
  }

  private func hoverSeat(_ show: Show) -> SeatID {
    for case .hover(let seat, _) in show.content.events { return seat }
    return SeatID(0)
  }

  @Test func `a pointer over a window that was hidden works when it is seen again, without a new enter`() throws {
    try play { show in
      show.seat.pointerEnter(5, 6)
      show.seat.pointerButton(true)
      show.settle()
      show.toplevel.suspend()
      show.settle()
      #expect(show.content.touches.last == "pointer cancelled")
      show.seat.pointerButton(false)
      show.toplevel.resume()
      show.settle()
      show.seat.pointerButton(true)
      show.settle()
      #expect(show.content.touches.last == "pointer began 5.0,6.0")
    }
  }

  @Test func `behaviour 25: the cursor is a named shape where the compositor has those`() throws {
    try play { show in
      show.seat.pointerEnter(5, 6)
      show.settle()
      guard case .shape(let shape) = show.seat.cursor else {
        Issue.record("no shape")
        return
      }
      #expect(shape == "default")
      show.window?.setCursor(.closedHand, for: hoverSeat(show))
      show.settle()
      guard case .shape("grabbing") = show.seat.cursor else {
        Issue.record("another shape")
        return
      }
    }
  }

  @Test(arguments: [1, 1.25, 1.5, 2, 3])
  func `behaviour 25: else it is a picture of the theme at the window's scale`(scale: Double) throws {
    var globals = StageGlobals.everything
    globals.cursorShape = nil
    try play(globals, prepare: { stage, _ in stage.scale = Scale(scale) }) { show in
      for shape in [CursorShape.arrow, .pointingHand, .text, .openHand, .closedHand] {
        show.seat.pointerEnter(5, 6)
        show.settle()
        show.window?.setCursor(shape, for: hoverSeat(show))
        show.settle()
        guard case .surface(let surface, let hotspot) = show.seat.cursor else {
          Issue.record("no picture for \(shape)")
          return
        }
        // As large as the picture's pixels are at that scale: themes have the sizes that they have.
        let pixels = try #require(surface.buffer?.size)
        #expect(abs(surface.logicalSize.width - Double(pixels.width) / scale) <= 0.5)
        #expect(abs(surface.logicalSize.height - Double(pixels.height) / scale) <= 0.5)
        #expect(hotspot.x <= surface.logicalSize.width && hotspot.y <= surface.logicalSize.height)
      }
    }
  }

  @Test func `behaviour 25: the theme's picture follows the window's scale`() throws {
    var globals = StageGlobals.everything
    globals.cursorShape = nil
    try play(globals) { show in
      show.seat.pointerEnter(5, 6)
      show.settle()
      guard case .surface(let cursor, _) = show.seat.cursor else {
        Issue.record("no picture")
        return
      }
      let before = cursor.commits.count
      show.surface.prefer(Scale(2))
      show.settle()
      show.refresh()
      #expect(show.window?.scale == Scale(2))
      #expect(cursor.commits.count > before)
    }
  }

  @Test func `behaviour 12: two pointers of two seats are two fingers with a cursor each`() throws {
    try play { show in
      let other = show.stage.addSeat(capabilities: .pointer)
      show.settle()
      show.seat.pointerEnter(1, 1)
      other.pointerEnter(2, 2)
      show.seat.pointerButton(true)
      other.pointerButton(true)
      show.settle()
      #expect(show.content.touches == ["pointer began 1.0,1.0", "pointer began 2.0,2.0"])
      show.stage.remove(other)
      show.settle()
      #expect(show.content.touches.count == 3)
      show.seat.pointerButton(false)
      show.settle()
      #expect(show.content.touches.last == "pointer ended")
      #expect(show.seat.cursor != nil)
    }
  }
}
