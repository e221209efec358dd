import Shell
import Stage
import Testing
import UICore

/// Fingers: what compositors send, what content hears. The numbers are behaviours from public reports.
@MainActor @Suite(.serialized) struct TouchTests {
  @Test func `behaviour 1: a cancel ends every finger of the seat, and none ends in a tap`() throws {
    try play { show in
      for id in Int32(0)..<3 {
        show.seat.touchDown(id, Double(10 + id), 10)
        show.seat.touchFrame()
      }
      show.settle()
      show.seat.touchMotion(2, 20, 20)
      show.seat.touchCancel()
      show.settle()
      #expect(show.content.touches.suffix(1) == ["0 cancelled + 1 cancelled + 2 cancelled"])
      show.seat.touchUp(0)
      show.seat.touchFrame()
      show.settle()
      #expect(show.content.touches.count == 4)
    }
  }

  @Test func `behaviour 3: a finger that comes down twice was cancelled in between`() throws {
    try play { show in
      show.seat.touchDown(5, 10, 10)
      show.seat.touchFrame()
      show.settle()
      show.seat.touchDown(5, 30, 30)
      show.seat.touchFrame()
      show.settle()
      #expect(show.content.touches == ["5 began 10.0,10.0", "5 cancelled + 5 began 30.0,30.0"])
    }
  }

  @Test func `behaviour 4: motion and up of fingers that are not down change nothing`() throws {
    try play { show in
      show.seat.touchMotion(7, 1, 1)
      show.seat.touchUp(7)
      show.seat.touchFrame()
      show.seat.touchDown(1, 2, 2)
      show.seat.touchUp(1)
      show.seat.touchFrame()
      show.seat.touchMotion(1, 3, 3)
      show.seat.touchFrame()
      show.settle()
      #expect(show.content.touches == ["1 began 2.0,2.0 + 1 ended"])
    }
  }

  @Test func `behaviour 5: what one frame closes is heard at once, and a gesture has many frames`() throws {
    try play { show in
      show.seat.touchDown(0, 1, 1)
      show.seat.touchDown(1, 2, 2)
      show.seat.touchFrame()
      show.seat.touchMotion(0, 3, 3)
      show.seat.touchMotion(1, 4, 4)
      show.seat.touchMotion(0, 5, 5)
      show.seat.touchFrame()
      show.settle()
      #expect(
        show.content.touches == ["0 began 1.0,1.0 + 1 began 2.0,2.0", "0 moved 5.0,5.0 + 1 moved 4.0,4.0"])
    }
  }

  @Test func `behaviour 7: one finger's end does not disturb the other`() throws {
    try play { show in
      show.seat.touchDown(0, 1, 1)
      show.seat.touchDown(1, 2, 2)
      show.seat.touchFrame()
      show.seat.touchUp(0)
      show.seat.touchFrame()
      show.seat.touchMotion(1, 9, 9)
      show.seat.touchFrame()
      show.settle()
      #expect(show.content.touches.dropFirst() == ["0 ended", "1 moved 9.0,9.0"])
    }
  }

  @Test func `behaviours 8 and 11: a seat with nothing but touch works, and is asked for nothing else`() throws {
    try play(stage: Stage(capabilities: .touch)) { show in
      show.seat.touchDown(0, 1, 1)
      show.seat.touchFrame()
      show.settle()
      #expect(show.content.touches == ["0 began 1.0,1.0"])
      #expect(show.seat.pointerCount == 0 && show.seat.keyboardCount == 0)
    }
  }

  @Test func `behaviour 30: touch works without the keyboard's focus and without being activated`() throws {
    try play { show in
      show.toplevel.configure(64, 48, [])
      show.settle()
      show.seat.touchDown(0, 1, 1)
      show.seat.touchFrame()
      show.settle()
      #expect(show.content.touches == ["0 began 1.0,1.0"])
    }
  }

  @Test func `behaviour 35: the last finger's up counts without a frame`() throws {
    try play { show in
      show.seat.touchDown(0, 1, 1)
      show.seat.touchFrame()
      show.settle()
      show.seat.touchUp(0)
      show.settle()
      #expect(show.content.touches == ["0 began 1.0,1.0", "0 ended"])
    }
  }

  @Test func `behaviour 35: a compositor that sends no frames at all is understood`() throws {
    try play { show in
      show.seat.touchDown(0, 1, 1)
      show.seat.touchDown(1, 2, 2)
      show.settle()
      show.seat.touchMotion(0, 3, 3)
      show.settle()
      show.seat.touchUp(0)
      show.settle()
      show.seat.touchUp(1)
      show.settle()
      #expect(
        show.content.touches == [
          "0 began 1.0,1.0 + 1 began 2.0,2.0", "0 moved 3.0,3.0", "0 ended", "1 ended",
        ])
    }
  }

  @Test func `behaviour 9: fingers are cancelled when the screen goes, and a new one works`() throws {
    try play { show in
      show.seat.touchDown(0, 1, 1)
      show.seat.touchFrame()
      show.settle()
      show.seat.capabilities = [.pointer, .keyboard]
      show.settle()
      #expect(show.content.touches.last == "0 cancelled")
      #expect(show.seat.inertCount == 0, "the old object is released")
      show.seat.capabilities = [.pointer, .keyboard, .touch]
      show.settle()
      show.seat.touchDown(0, 2, 2)
      show.seat.touchFrame()
      show.settle()
      #expect(show.content.touches.last == "0 began 2.0,2.0")
    }
  }

  @Test func `behaviour 12: two seats' fingers of one number are two fingers`() throws {
    try play { show in
      let other = show.stage.addSeat(capabilities: .touch)
      show.settle()
      show.seat.touchDown(0, 1, 1)
      other.touchDown(0, 2, 2)
      show.seat.touchFrame()
      other.touchFrame()
      show.settle()
      show.seat.touchCancel()
      other.touchMotion(0, 3, 3)
      other.touchFrame()
      show.settle()
      let seats = show.content.events.compactMap { event -> SeatID? in
        if case .touches(let points) = event { points.first?.id.seat } else { nil }
      }
      #expect(Set(seats).count == 2)
      #expect(
        show.content.touches == ["0 began 1.0,1.0", "0 began 2.0,2.0", "0 cancelled", "0 moved 3.0,3.0"])
    }
  }

  @Test func `behaviours 10 and 12: a seat that goes cancels its own fingers only`() throws {
    try play { show in
      let other = show.stage.addSeat(capabilities: .touch)
      show.settle()
      show.seat.touchDown(0, 1, 1)
      show.seat.touchFrame()
      other.touchDown(4, 2, 2)
      other.touchFrame()
      show.settle()
      show.stage.remove(other)
      show.settle()
      #expect(show.content.touches.last == "4 cancelled")
      show.seat.touchUp(0)
      show.seat.touchFrame()
      show.settle()
      #expect(show.content.touches.last == "0 ended")
    }
  }

  @Test func `a hidden window cancels its fingers, also one that has just been lifted or laid down`() throws {
    try play { show in
      show.seat.touchDown(0, 1, 1)
      show.seat.touchDown(1, 2, 2)
      show.seat.touchFrame()
      show.settle()
      show.seat.touchUp(0)
      show.seat.touchDown(2, 3, 3)
      show.toplevel.suspend()
      show.settle()
      let told = show.content.touches.dropFirst().joined(separator: " + ")
      #expect(told.contains("0 ended"))
      #expect(told.contains("1 cancelled"))
      #expect(told.contains("2 began") == told.contains("2 cancelled"))
    }
  }

  @Test func `every finger that began ends exactly once, whatever comes in one batch`() throws {
    try play { show in
      show.seat.touchDown(0, 1, 1)
      show.seat.touchFrame()
      show.settle()
      // Without frames: up, down again under the same number, and a cancel.
      show.seat.touchDown(3, 5, 5)
      show.seat.touchUp(0)
      show.seat.touchDown(0, 2, 2)
      show.seat.touchCancel()
      show.settle()
      var down: Set<TouchID> = []
      for case .touches(let points) in show.content.events {
        for point in points {
          switch point.phase {
          case .began: #expect(down.insert(point.id).inserted)
          case .moved: #expect(down.contains(point.id))
          case .ended, .cancelled: #expect(down.remove(point.id) != nil)
          }
        }
      }
      #expect(down.isEmpty)
    }
  }
}
