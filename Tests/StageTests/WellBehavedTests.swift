import Stage
import Testing
import UICore
import Wayland
import WaylandServer

/// A client that does everything right is not accused.
@MainActor @Suite(.serialized) struct WellBehavedTests {
  @Test(arguments: ReleasePolicy.allCases)
  func `a window that is configured, drawn, redrawn and closed breaks no rule`(policy: ReleasePolicy) throws {
    let stage = Stage()
    stage.releasePolicy = policy
    let window = try RawWindow.configured(on: stage)
    let first = try RawBuffer(window.client, 40, 30)
    let second = try RawBuffer(window.client, 40, 30)
    window.show(first, frame: true)
    #expect(stage.toplevel.surface.waitsForFrame)
    stage.nextRefresh()
    window.client.settle()
    #expect(window.frames == 1)
    let spot = PixelRect(x: 3, y: 4, width: 5, height: 6)
    second.fill(0xffff_ffff, spot)
    window.show(second, damage: [spot], frame: true)
    stage.nextRefresh()
    window.client.settle()
    let surface = stage.toplevel.surface
    #expect(surface.contentCommits.map(\.damagedPixels) == [1200, 30])
    #expect(surface.picture?.pixel(x: 3, y: 4) == 0xffff_ffff)
    #expect(surface.picture?.pixel(x: 2, y: 4) == 0xff20_4060)
    #expect(first.releases == (policy == .byHand ? 0 : 1))
    #expect(second.releases == (policy == .byHand || policy == .whenReplaced ? 0 : 1))
    stage.releaseBuffers()
    window.client.settle()
    #expect(stage.heldBufferCount == 0 && stage.poolCount == 2 && stage.bufferCount == 2)
    window.end()
    first.end()
    second.end()
    window.client.close()
    #expect(stage.clients.first?.end == .closed)
    #expect(stage.finish() == [])
    #expect(stage.notes.isEmpty)
  }

  @Test func `a fractional scale asks for rounded pixels and a viewport`() throws {
    let stage = Stage()
    stage.scale = Scale(1.5)
    stage.initialConfigure = Configure(width: 41, height: 30)
    let client = try RawClient(stage)
    let window = try RawWindow(client)
    let viewport = try #require(client.bind(WpViewporter.self)).getViewport(surface: window.surface)
    let manager = try #require(client.bind(WpFractionalScaleManagerV1.self))
    let fractional = manager.getFractionalScale(surface: window.surface)
    window.surface.commit()
    client.settle()
    window.ack()
    viewport.setDestination(width: 41, height: 30)
    window.show(try RawBuffer(client, 62, 45))
    #expect(stage.violations.isEmpty)
    #expect(stage.toplevel.surface.logicalSize == Size(width: 41, height: 30))
    stage.nextRefresh()
    window.show(try RawBuffer(client, 61, 45))
    #expect(stage.violations.map(\.rule) == [.wrongBufferSize])
    fractional.end()
  }

  @Test func `a scale that the client cannot have heard of yet is not asked for`() throws {
    let stage = Stage()
    let window = try RawWindow.configured(on: stage)
    let surface = stage.toplevel.surface
    let buffer = try RawBuffer(window.client, 40, 30)
    window.surface.attach(buffer: buffer.buffer, x: 0, y: 0)
    window.surface.damageBuffer(x: 0, y: 0, width: 40, height: 30)
    window.surface.commit()
    window.client.turn()
    surface.prefer(Scale(2.0))
    stage.step()
    #expect(stage.violations.isEmpty)
    stage.finishFrame()
    window.client.settle()
    window.show(try RawBuffer(window.client, 40, 30))
    #expect(stage.violations.map(\.rule) == [.wrongBufferSize])
  }

  @Test func `frames answer callbacks and feedback, and a starved surface gets none`() throws {
    let stage = Stage()
    let window = try RawWindow.configured(on: stage)
    let presentation = try #require(window.client.bind(WpPresentation.self))
    var answers: [String] = []
    var asked: [WpPresentationFeedback] = []
    for round in 0..<3 {
      let feedback = presentation.feedback(surface: window.surface)
      asked.append(feedback)
      feedback.onEvent = { event in
        switch event {
        case .presented(_, let seconds, let nanoseconds, let refresh, _, let sequence, _):
          answers.append("\(round) \(seconds).\(nanoseconds) \(refresh) \(sequence)")
        case .discarded: answers.append("\(round) discarded")
        case .syncOutput: answers.append("\(round) on an output")
        }
      }
      window.show(try RawBuffer(window.client, 8, 8))
      if round == 0 { continue }
      stage.starve(stage.toplevel.surface, round == 1)
      stage.nextRefresh()
      window.client.settle()
    }
    #expect(
      answers == ["0 discarded", "1 discarded", "2 on an output", "2 10.33332932 16666666 2"])
  }

  @Test func `size limits apply with the next commit`() throws {
    let stage = Stage()
    let window = try RawWindow.shown(on: stage, 8, 8)
    window.toplevel.setMinSize(width: 7, height: 6)
    window.toplevel.setMaxSize(width: 70, height: 60)
    window.client.settle()
    #expect(stage.toplevel.minimumSize == .zero && stage.toplevel.maximumSize == .zero)
    window.surface.commit()
    window.client.settle()
    #expect(stage.toplevel.minimumSize == PixelSize(width: 7, height: 6))
    #expect(stage.toplevel.maximumSize == PixelSize(width: 70, height: 60))
  }

  @Test func `a client that empties the clipboard gets an empty selection`() throws {
    let stage = Stage()
    let client = try RawClient(stage)
    let manager = try #require(client.bind(WlDataDeviceManager.self))
    let device = manager.getDataDevice(seat: try #require(client.seat))
    var selections: [Bool] = []
    var offers: [WlDataOffer] = []
    device.onEvent = { event in
      switch event {
      case .dataOffer(let offer): offers.append(offer)
      case .selection(let offer): selections.append(offer != nil)
      default: break
      }
    }
    let source = manager.createDataSource()
    source.offer(mimeType: "text/plain")
    device.setSelection(source: source, serial: 1)
    client.settle()
    device.setSelection(source: nil, serial: 2)
    client.settle()
    #expect(selections == [true, false])
  }

  @Test func `pictures with and without alpha compare the same both ways`() throws {
    let stage = Stage()
    let window = try RawWindow.configured(on: stage)
    let opaque = try RawBuffer(window.client, 2, 2, format: .xrgb8888)
    opaque.fill(0x0012_3456)
    window.show(opaque)
    let plain = try #require(stage.toplevel.surface.picture)
    let clear = try RawBuffer(window.client, 2, 2)
    clear.fill(0x8012_3456)
    stage.nextRefresh()
    window.show(clear)
    let other = try #require(stage.toplevel.surface.picture)
    #expect(plain == other && other == plain)
  }

  @Test func `outputs and seats come and go`() throws {
    let stage = Stage(capabilities: nil)
    let client = try RawClient(stage)
    #expect(client.seat == nil)
    let seat = stage.addSeat(capabilities: .touch)
    client.settle()
    let bound = try #require(client.bind(WlSeat.self))
    var seen: [WlSeat.Capability] = []
    bound.onEvent = { event in
      if case .capabilities(let value) = event { seen.append(value) }
    }
    client.settle()
    let touch = bound.getTouch()
    client.settle()
    #expect(seat.touchCount == 1)
    seat.capabilities = []
    client.settle()
    #expect(seat.touchCount == 0 && seat.inertCount == 1)
    touch.release()
    seat.capabilities = [.touch, .pointer]
    client.settle()
    #expect(seat.inertCount == 0)
    #expect(seen == [.touch, [], [.touch, .pointer]])
    stage.remove(seat)
    stage.remove(stage.output)
    client.settle()
    #expect(stage.seats.isEmpty && stage.outputs.isEmpty)
    bound.release()
    client.close()
    #expect(stage.finish() == [])
  }
}
