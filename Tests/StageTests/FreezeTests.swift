import Stage
import Testing
import UICore
import Wayland

/// A compositor that stops, that is late, and that lies about when it showed something.
@MainActor @Suite(.serialized) struct FreezeTests {
  /// A client with a window that is seen and a touch device, and the device's events.
  @MainActor private struct Seen {
    let client: RawClient
    let window: RawWindow
    let touch: WlTouch
    let words: () -> [String]

    init(_ stage: Stage) throws {
      client = try RawClient(stage)
      window = try RawWindow.configured(client)
      (touch, words) = try FreezeTests.touches(of: client)
      window.show(try RawBuffer(client, 8, 8))
      client.settle()
    }
  }

  private static func touches(of client: RawClient) throws -> (WlTouch, () -> [String]) {
    let touch = try #require(client.seat).getTouch()
    final class Words { var words: [String] = [] }
    let seen = Words()
    touch.onEvent = { event in
      switch event {
      case .down(_, let time, _, let id, _, _): seen.words.append("down \(id) at \(time)")
      case .motion(let time, let id, _, _): seen.words.append("motion \(id) at \(time)")
      case .up(_, let time, let id): seen.words.append("up \(id) at \(time)")
      default: break
      }
    }
    return (touch, { seen.words })
  }

  @Test func `a frozen stage answers nothing; thawed it sends what waited, with the times from before`() throws {
    let stage = Stage()
    let seen = try Seen(stage)
    let client = seen.client
    stage.seat.touchDown(1, 2, 2)
    stage.freeze()
    client.settle()
    #expect(seen.words() == ["down 1 at 10000"], "what was said before had been sent")
    var isAnswered = false
    let answer = try #require(client.root).sync()
    answer.onEvent = { _ in isAnswered = true }
    let callback = seen.window.surface.frame()
    var frames = 0
    callback.onEvent = { _ in frames += 1 }
    seen.window.surface.commit()
    for _ in 0..<20 {
      stage.clock.advance(by: .milliseconds(50))
      stage.seat.touchMotion(1, 3, 3)
      stage.nextRefresh()
      client.settle()
    }
    #expect(!isAnswered && frames == 0 && seen.words().count == 1 && stage.clients.first?.end == nil)
    stage.seat.touchUp(1)
    stage.thaw()
    client.settle()
    #expect(isAnswered && seen.words().count == 22 && seen.words()[1] == "motion 1 at 10050")
    stage.nextRefresh()
    client.settle()
    #expect(frames == 1 && seen.touch.isAlive)
    #expect(stage.violations.isEmpty)
  }

  @Test func `a stage that answers late goes on sending what happens`() throws {
    let stage = Stage()
    let seen = try Seen(stage)
    let client = seen.client
    stage.answerDelay = .milliseconds(200)
    var isAnswered = false
    let answer = try #require(client.root).sync()
    answer.onEvent = { _ in isAnswered = true }
    client.settle()
    stage.seat.touchDown(1, 2, 2)
    stage.clock.advance(by: .milliseconds(199))
    client.settle()
    #expect(!isAnswered && seen.words() == ["down 1 at 10000"])
    stage.clock.advance(by: .milliseconds(1))
    client.settle()
    #expect(isAnswered && seen.touch.isAlive)
    #expect(stage.violations.isEmpty)
  }

  @Test func `presentation times may be anything`() throws {
    let stage = Stage()
    let window = try RawWindow.configured(on: stage)
    stage.presentationTime = { _ in PresentationTime(seconds: .max, nanoseconds: .max, refresh: 1) }
    let presentation = try #require(window.client.bind(WpPresentation.self))
    let feedback = presentation.feedback(surface: window.surface)
    var told: [UInt32] = []
    feedback.onEvent = {
      if case .presented(let high, let low, let nanoseconds, let refresh, _, _, _) = $0 {
        told = [high, low, nanoseconds, refresh]
      }
    }
    window.show(try RawBuffer(window.client, 8, 8))
    window.client.settle()
    stage.nextRefresh()
    window.client.settle()
    #expect(told == [.max, .max, .max, 1])
  }

  @Test func `a compositor that is frozen from the start never answers the greeting`() throws {
    let stage = Stage()
    stage.freeze()
    let client = try RawClient(stage)
    #expect(client.compositor == nil && client.bind(WlCompositor.self) == nil)
    stage.thaw()
    client.settle()
    #expect(client.bind(WlCompositor.self) != nil)
  }
}
