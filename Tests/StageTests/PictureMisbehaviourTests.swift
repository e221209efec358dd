import Glibc
import Stage
import Synchronization
import Testing
import UICore
import Wayland
import WaylandServer

/// Clients that misbehave with buffers, damage and frames: each check catches just its own.
@MainActor @Suite(.serialized) struct PictureMisbehaviourTests {
  private func rules(_ stage: Stage) -> [Violation.Rule] { stage.violations.map(\.rule) }

  @Test func `writing into a held buffer`() throws {
    let stage = Stage()
    stage.releasePolicy = .byHand
    let window = try RawWindow.configured(on: stage)
    let buffer = try RawBuffer(window.client, 20, 10)
    window.show(buffer)
    buffer.fill(0xffff_0000, PixelRect(x: 7, y: 8, width: 1, height: 1))
    stage.step()
    stage.step()
    #expect(rules(stage) == [.heldBufferWritten])
    #expect(stage.violations.first?.message.contains("(7, 8)") == true)
    stage.releaseBuffers()
    window.client.settle()
    buffer.fill(0)
    stage.step()
    #expect(rules(stage) == [.heldBufferWritten])
  }

  @Test func `writing into a buffer that was destroyed while it was held`() throws {
    let stage = Stage()
    stage.releasePolicy = .whenReplaced
    let window = try RawWindow.configured(on: stage)
    let buffer = try RawBuffer(window.client, 20, 10)
    window.show(buffer)
    buffer.buffer.end()
    window.client.settle()
    #expect(stage.notes.count == 1 && stage.violations.isEmpty)
    buffer.fill(0)
    stage.step()
    #expect(rules(stage) == [.heldBufferWritten])
  }

  @Test func `a pixel changed outside the damage`() throws {
    let stage = Stage()
    let window = try RawWindow.shown(on: stage, 20, 10)
    let second = try RawBuffer(window.client, 20, 10)
    second.fill(0xffff_ffff, PixelRect(x: 5, y: 5, width: 3, height: 2))
    window.show(second, damage: [PixelRect(x: 5, y: 5, width: 2, height: 2)])
    #expect(rules(stage) == [.damageLies])
    #expect(stage.violations.first?.message.contains("(7, 5)") == true)
  }

  @Test func `two commits of a held buffer that are read together are a write, not false damage`() throws {
    let stage = Stage()
    let window = try RawWindow.configured(on: stage)
    let buffer = try RawBuffer(window.client, 20, 10)
    window.show(buffer)
    stage.releaseBuffers()
    for x in [3, 9] {
      buffer.fill(0xffff_0000, PixelRect(x: x, y: 4, width: 1, height: 1))
      window.surface.attach(buffer: buffer.buffer, x: 0, y: 0)
      window.surface.damageBuffer(x: Int32(x), y: 4, width: 1, height: 1)
      window.surface.commit()
    }
    window.client.settle()
    #expect(Set(rules(stage)) == [.heldBufferWritten], "\(stage.violations)")
  }

  @Test func `a first picture of a size without damage all over`() throws {
    let stage = Stage()
    let window = try RawWindow.configured(on: stage)
    window.show(try RawBuffer(window.client, 20, 10), damage: [PixelRect(x: 0, y: 0, width: 20, height: 9)])
    #expect(rules(stage) == [.damageLies])
  }

  @Test func `a smaller picture that equals the old one there needs no damage, a larger one where it is new`() throws {
    let stage = Stage()
    let window = try RawWindow.shown(on: stage, 20, 10)
    window.show(try RawBuffer(window.client, 10, 10), damage: [])
    #expect(rules(stage) == [], "each of its pixels was there")
    window.show(try RawBuffer(window.client, 10, 12), damage: [PixelRect(x: 0, y: 10, width: 10, height: 2)])
    #expect(rules(stage) == [])
    window.show(try RawBuffer(window.client, 11, 12), damage: [])
    #expect(rules(stage) == [.damageLies] && stage.violations[0].message.contains("(10, 0)"), "\(stage.violations)")
  }

  @Test func `of a buffer for several things only the part that a viewport shows needs damage and has a size`() throws {
    let stage = Stage()
    let window = try RawWindow.configured(on: stage)
    let viewport = try #require(window.client.bind(WpViewporter.self)).getViewport(surface: window.surface)
    viewport.setSource(x: 0, y: 0, width: 20, height: 10)
    viewport.setDestination(width: 20, height: 10)
    let part = PixelRect(x: 0, y: 0, width: 20, height: 10)
    window.show(try RawBuffer(window.client, 64, 64), damage: [part])
    let second = try RawBuffer(window.client, 64, 64)
    second.fill(0xffff_ffff, PixelRect(x: 20, y: 0, width: 44, height: 64))
    window.show(second, damage: [])
    #expect(rules(stage) == [])
    let third = try RawBuffer(window.client, 64, 64)
    third.fill(0xffff_ffff, PixelRect(x: 19, y: 9, width: 1, height: 1))
    window.show(third, damage: [])
    #expect(rules(stage) == [.damageLies])
  }

  @Test func `damage in surface coordinates is mapped to the buffer`() throws {
    let stage = Stage(globals: .sway17)
    stage.scale = Scale(2.0)
    stage.output.scale = 2
    let window = try RawWindow.configured(on: stage)
    stage.toplevel.surface.enter(stage.output)
    stage.step()
    window.surface.setBufferScale(scale: 2)
    window.show(try RawBuffer(window.client, 20, 10))
    let second = try RawBuffer(window.client, 20, 10)
    second.fill(0xffff_ffff, PixelRect(x: 4, y: 4, width: 2, height: 2))
    window.surface.damage(x: 2, y: 2, width: 1, height: 1)
    window.show(second, damage: [])
    #expect(rules(stage) == [])
    #expect(stage.toplevel.surface.commits.last?.damagedPixels == 4)
  }

  @Test(arguments: [true, false])
  func `memory is still mapped when every client has gone, as long as somebody keeps a buffer`(keeps: Bool) throws {
    let stage = Stage()
    let window = try RawWindow.shown(on: stage, 8, 8)
    let kept = keeps ? stage.toplevel.surface.buffer : nil
    window.client.close()
    let left = stage.finish().contains { $0.rule == .memoryLeft }
    #expect(left == keeps)
    withExtendedLifetime(kept) {}
  }

  @Test(arguments: [true, false])
  func `a buffer that no GPU could read where it is, is reported once`(hasWholePages: Bool) throws {
    let stage = Stage()
    let window = try RawWindow.configured(on: stage)
    // 41 rows of 200 bytes are two pages and 8 bytes.
    let buffer = try RawBuffer(window.client, 50, 41, hasWholePages: hasWholePages)
    for _ in 0..<2 { window.show(buffer) }
    #expect(rules(stage).filter { $0 == .bufferNotImportable }.count == (hasWholePages ? 0 : 1))
  }

  @Test func `a file that was truncated is not read`() throws {
    let stage = Stage()
    let window = try RawWindow.configured(on: stage)
    let buffer = try RawBuffer(window.client, 200, 200)
    try #require(ftruncate(buffer.descriptor, 12) == 0)
    window.show(buffer)
    #expect(rules(stage) == [.poolShrunk])
  }

  @Test func `a file that is truncated while its buffer is held`() throws {
    let stage = Stage()
    stage.releasePolicy = .byHand
    let window = try RawWindow.configured(on: stage)
    let buffer = try RawBuffer(window.client, 200, 200)
    window.show(buffer)
    try #require(ftruncate(buffer.descriptor, 12) == 0)
    stage.step()
    window.client.settle()
    #expect(rules(stage) == [.poolShrunk])
    window.client.close()
    guard case .protocolError("wl_buffer", 2, _) = stage.clients.first?.end else {
      Issue.record("the client left by itself: \(String(describing: stage.clients.first?.end))")
      return
    }
  }

  @Test func `a file that is truncated again and again while the stage copies from it`() throws {
    let stage = Stage()
    stage.releasePolicy = .immediately
    let window = try RawWindow.configured(on: stage)
    let buffer = try RawBuffer(window.client, 1000, 1000)
    let (file, length) = (buffer.descriptor, buffer.byteCount)
    let isOver = Mutex(false)
    let thread = Task.detached {
      while !isOver.withLock({ $0 }) {
        ftruncate(file, 4096)
        ftruncate(file, length)
      }
    }
    for _ in 0..<400 where stage.violations.isEmpty { window.show(buffer) }
    isOver.withLock { $0 = true }
    #expect(
      Set(rules(stage)).isSubset(of: [.poolShrunk, .damageLies, .heldBufferWritten]) && !stage.violations.isEmpty)
    withExtendedLifetime(thread) {}
  }

  @Test func `damage without a buffer`() throws {
    let stage = Stage()
    let window = try RawWindow.shown(on: stage, 8, 8)
    window.surface.damageBuffer(x: 0, y: 0, width: 8, height: 8)
    window.surface.commit()
    window.client.settle()
    #expect(rules(stage) == [.damageWithoutBuffer])
  }

  @Test func `an opaque region over pixels that are not`() throws {
    let stage = Stage()
    let window = try RawWindow.configured(on: stage)
    let region = try #require(window.client.compositor).createRegion()
    region.add(x: 0, y: 0, width: .max, height: .max)
    window.surface.setOpaqueRegion(region: region)
    region.destroy()
    let buffer = try RawBuffer(window.client, 8, 8)
    window.show(buffer)
    #expect(rules(stage) == [])
    let second = try RawBuffer(window.client, 8, 8)
    second.fill(0x8000_0000, PixelRect(x: 1, y: 1, width: 1, height: 1))
    window.show(second)
    #expect(rules(stage) == [.opaqueRegionLies])
  }

  @Test func `new content while a frame callback is pending, unless a new size came`() throws {
    let stage = Stage()
    let window = try RawWindow.configured(on: stage)
    window.show(try RawBuffer(window.client, 8, 8), frame: true)
    stage.toplevel.configure(9, 8)
    window.client.settle()
    window.ack()
    window.show(try RawBuffer(window.client, 9, 8))
    #expect(rules(stage) == [])
    stage.toplevel.surface.forgetCommits()
    window.show(try RawBuffer(window.client, 9, 8))
    #expect(rules(stage) == [.commitBeforeFrameCallback])
  }
}
