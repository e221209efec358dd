import Shell
import Stage
import Testing
import UICore

/// Windows that are moved and resized by who holds them: the request names the press.
@MainActor @Suite(.serialized) struct MoveTests {
  /// The touch that began last.
  private func newest(_ show: Show) throws -> TouchID {
    let began = show.content.events.compactMap { event -> TouchID? in
      guard case .touches(let points) = event else { return nil }
      return points.last { $0.phase == .began }?.id
    }
    return try #require(began.last)
  }

  @Test func `behaviour 26: a window is moved by a finger with the serial of its down, not a later one`() throws {
    try play { show in
      let serial = show.seat.touchDown(4, 10, 10)
      show.seat.touchFrame()
      show.settle()
      let finger = try newest(show)
      show.seat.pointerEnter(3, 3)
      show.seat.touchDown(5, 20, 20)
      show.seat.touchMotion(4, 11, 10)
      show.seat.touchFrame()
      show.settle()
      show.window?.beginMove(by: finger)
      show.settle()
      #expect(show.toplevel.requests == [.move(serial: serial)])
      #expect(show.content.touches.last == "4 cancelled", "the finger is the compositor's now")
      let heard = show.content.touches.count
      show.seat.touchMotion(4, 30, 30)
      show.seat.touchUp(4)
      show.seat.touchFrame()
      show.settle()
      #expect(show.content.touches.count == heard)
      show.seat.touchUp(5)
      show.seat.touchFrame()
      show.settle()
      #expect(show.content.touches.last == "5 ended", "the other finger stays the content's")
    }
  }

  @Test func `behaviour 26: a move may be asked for while its touch is being heard of, and again`() throws {
    try play { show in
      show.content.onInput = { [weak show] event in
        guard case .touches(let points) = event, let point = points.first, point.phase == .began else { return }
        show?.window?.beginMove(by: point.id)
      }
      for round in 1...3 {
        show.seat.touchDown(0, 10, 10)
        show.seat.touchFrame()
        show.settle()
        #expect(show.toplevel.requests.count == round)
        #expect(show.content.touches.last == "0 cancelled")
        show.seat.touchUp(0)
        show.seat.touchFrame()
        show.settle()
      }
      #expect(show.content.touches.count == 6)
    }
  }

  @Test func `behaviour 26: a finger that was lifted or cancelled, or of a seat that went, moves nothing`() throws {
    try play { show in
      let other = show.stage.addSeat(capabilities: .touch)
      show.settle()
      for end in 0..<3 {
        let seat = end == 2 ? other : show.seat
        seat.touchDown(0, 10, 10)
        seat.touchFrame()
        show.settle()
        let finger = try newest(show)
        switch end {
        case 0: show.seat.touchUp(0)
        case 1: show.seat.touchCancel()
        default: show.stage.remove(other)
        }
        show.seat.touchFrame()
        show.settle()
        show.window?.beginMove(by: finger)
        show.window?.beginResize(from: .left, by: finger)
        show.window?.showMenu(at: .zero, by: finger)
        show.settle()
      }
      #expect(show.toplevel.requests.isEmpty)
    }
  }

  @Test func `behaviour 26: a mouse resizes by its press, from any edge, and its release is not heard of`() throws {
    try play { show in
      show.seat.pointerEnter(1, 1)
      for (index, edge) in WindowEdge.allCases.enumerated() {
        let serial = show.seat.pointerButton(true)
        show.settle()
        show.window?.beginResize(from: edge, by: try newest(show))
        show.settle()
        let edges: [UInt32] = [1, 2, 4, 8, 5, 9, 6, 10]
        #expect(show.toplevel.requests.last == .resize(serial: serial, edges: edges[index]))
        #expect(show.content.touches.last == "pointer cancelled")
        show.seat.pointerButton(false)
        show.settle()
        #expect(show.content.touches.last == "pointer cancelled")
      }
      let serial = show.seat.pointerButton(true)
      show.settle()
      show.window?.showMenu(at: Point(x: 7.4, y: 1e20), by: try newest(show))
      show.settle()
      #expect(show.toplevel.requests.last == .windowMenu(serial: serial, x: 7, y: 32_767))
    }
  }

  @Test func `behaviours 12 and 26: each seat's finger moves with its own seat`() throws {
    try play { show in
      let other = show.stage.addSeat(capabilities: .touch)
      show.settle()
      show.seat.touchDown(0, 10, 10)
      show.seat.touchFrame()
      let serial = other.touchDown(0, 20, 20)
      other.touchFrame()
      show.settle()
      // The stage checks that the serial is a press of the seat that is named.
      show.window?.beginMove(by: try newest(show))
      show.settle()
      #expect(show.toplevel.requests == [.move(serial: serial)])
    }
  }

  @Test func `maximising and minimising are asked for`() throws {
    try play { show in
      show.window?.setMaximized(true)
      show.window?.setMaximized(false)
      show.window?.minimize()
      show.settle()
      #expect(show.toplevel.requests == [.maximize(true), .maximize(false), .minimize])
    }
  }
}
