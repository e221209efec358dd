import ControlHarness
import TestSupport
import Testing

@testable import Controls

/// Tests of views with many subviews: found as if each had been looked at.
@MainActor @Suite(.serialized) struct SubviewIndexTests {
  private func frame(_ random: inout Random) -> Rect {
    let isLarge = random.below(20) == 0
    return Rect(
      x: random.number(-40, 320), y: random.number(-40, 320), width: random.number(0, isLarge ? 300 : 20),
      height: random.number(0, isLarge ? 300 : 20))
  }

  /// The front-most view at `point` by looking at each.
  private func plainHit(_ view: View, _ point: Point) -> View {
    view.subviews.last {
      !$0.isHidden && $0.frame.contains(point)
    } ?? view
  }

  @Test(arguments: [SubviewIndex.threshold, 300])
  func `K19: among many, the hit view is the one in front, whatever was moved, added, removed, reordered`(count: Int) {
    var random = Random(count)
    let holder = View(frame: Rect(x: 0, y: 0, width: 300, height: 300))
    for _ in 0..<count { holder.addSubview(View(frame: frame(&random))) }
    for step in 0..<400 {
      let view = holder.subviews[random.below(holder.subviews.count)]
      switch step % 8 {
      case 0: view.frame = frame(&random)
      case 1: view.frame.origin = Point(x: random.number(-500, 500), y: random.number(0, 300))
      case 2: view.isHidden.toggle()
      case 3: holder.bringSubviewToFront(view)
      case 4: holder.insertSubview(View(frame: frame(&random)), at: random.below(count))
      case 5: view.removeFromSuperview()
      default: view.frame = frame(&random)
      }
      for _ in 0..<10 {
        let point = Point(x: random.number(0, 299), y: random.number(0, 299))
        #expect(holder.hitTest(point) === plainHit(holder, point))
      }
    }
  }

  @Test func `an active area may reach beyond the frame`() {
    final class Wide: View {
      override func point(inside point: Point) -> Bool { bounds.insetBy(dx: -20, dy: -20).contains(point) }
    }
    let holder = View(frame: Rect(x: 0, y: 0, width: 1000, height: 100))
    for x in 0..<60 { holder.addSubview(Wide(frame: Rect(x: Double(x) * 60, y: 50, width: 4, height: 4))) }
    #expect(holder.hitTest(Point(x: 62, y: 32)) === holder.subviews[1])
    #expect(holder.hitTest(Point(x: 100.5, y: 69)) === holder.subviews[2])
    #expect(holder.hitTest(Point(x: 92, y: 50)) === holder)
  }

  @Test func `frames without extent, at one place, or far away are harmless`() {
    let holder = View(frame: Rect(x: 0, y: 0, width: 10, height: 10))
    for _ in 0..<60 { holder.addSubview(View()) }
    #expect(holder.hitTest(Point(x: 5, y: 5)) === holder)
    for view in holder.subviews { view.frame = Rect(x: 1e300, y: -1e300, width: 1e300, height: 1) }
    #expect(holder.hitTest(Point(x: 5, y: 5)) === holder)
    holder.subviews[3].frame = Rect(x: 0, y: 0, width: 10, height: 10)
    #expect(holder.hitTest(Point(x: 5, y: 5)) === holder.subviews[3])
    for view in holder.subviews { view.removeFromSuperview() }
    #expect(holder.hitTest(Point(x: 5, y: 5)) === holder)
  }

  /// The harness compares every frame with one in which everything is painted.
  @Test(arguments: [Scale.one, Scale(1.5)])
  func `a change among many views paints what a whole painting would`(scale: Scale) {
    let harness = ControlHarness(size: Size(width: 300, height: 300), scale: scale)
    var random = Random(11)
    let holder = View(frame: Rect(x: 10.5, y: 3, width: 280, height: 290))
    for _ in 0..<200 {
      let view = View(frame: frame(&random))
      view.backgroundColor = random.color()
      holder.addSubview(view)
    }
    harness.root.addSubview(holder)
    harness.frame()
    for step in 0..<40 {
      let view = holder.subviews[random.below(holder.subviews.count)]
      switch step % 4 {
      case 0: view.frame = frame(&random)
      case 1: view.backgroundColor = random.color()
      case 2: view.isHidden.toggle()
      default: view.alpha = random.number(0, 1)
      }
      harness.frame()
    }
    #expect(harness.frameCount > 30)
  }

  /// The control at `point` by looking at each: the one it lies on, else the nearest if it lies in its touch area.
  private func plainTouch(_ holder: View, _ point: Point) -> View {
    func distance(_ frame: Rect) -> Double {
      if frame.contains(point) { return 0 }
      let dx = max(frame.minX - point.x, 0, point.x - frame.maxX)
      let dy = max(frame.minY - point.y, 0, point.y - frame.maxY)
      return max((dx * dx + dy * dy).squareRoot(), .leastNonzeroMagnitude)
    }
    var best: (view: View, distance: Double)?
    for case let control as Control in holder.subviews.reversed() {
      let away = distance(control.frame)
      if best.map({ away < $0.distance }) ?? true { best = (control, away) }
    }
    guard let best, let control = best.view as? Control, control.touchArea.contains(point - control.frame.origin)
    else { return holder }
    return control
  }

  @Test(arguments: [10, 200])
  func `K21: a small control among many is touched where it would be among few`(count: Int) {
    var random = Random(count)
    let holder = View(frame: Rect(x: 0, y: 0, width: 600, height: 600))
    for _ in 0..<count {
      let slider = Slider()
      slider.frame = Rect(
        x: random.number(0, 580), y: random.number(0, 580), width: random.number(2, 60), height: random.number(2, 60))
      holder.addSubview(slider)
    }
    for _ in 0..<2000 {
      let point = Point(x: random.number(0, 600), y: random.number(0, 600))
      #expect(holder.hitTest(point) === plainTouch(holder, point))
    }
  }
}
