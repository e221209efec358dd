import ControlHarness
import Testing

@testable import Controls

/// A slider of 320 x 31 at (20, 40) in a window of 360 x 120, with all its events in a log.
final class RangeSliderProbe: RangeSliderDelegate {
  let harness: ControlHarness
  let slider: RangeSlider
  let log = Log()
  /// A further action of the delegate.
  var onBegin: (() -> Void)?

  init(
    scale: Scale = .one, direction: LayoutDirection = .leftToRight, size: Size = Size(width: 360, height: 120),
    frame: Rect = Rect(x: 20, y: 40, width: 320, height: 31), set: (RangeSlider) -> Void = { _ in }
  ) {
    let root = RootView()
    root.backgroundColor = .white
    root.layoutDirection = direction
    harness = ControlHarness(size: size, scale: scale, root: root)
    slider = RangeSlider(frame: frame)
    set(slider)
    root.addSubview(slider)
    harness.frame()
    slider.delegate = self
    let events: [(Control.Event, String)] = [
      (.valueChanged, "changed"), (.editingDidBegin, "begin"), (.editingDidEnd, "end"), (.editingDidCancel, "cancel"),
    ]
    for (event, name) in events {
      slider.addAction(for: event) { [log] slider in
        log.add(
          event == .valueChanged ? "\(name) \(Self.short(slider.lowerValue)) \(Self.short(slider.upperValue))" : name)
      }
    }
  }

  func rangeSliderWillBeginDragging(_ slider: RangeSlider) {
    log.add("willBegin \(Self.short(slider.lowerValue)) \(slider.isDragging)")
    onBegin?()
  }

  func rangeSliderDidEndDragging(_ slider: RangeSlider) {
    let lit = RangeSlider.Thumb.allCases.contains { slider.isHighlighted($0) } || slider.shown.isPressed
    log.add("didEnd \(slider.isDragging) \(lit)")
  }

  func rangeSliderDidChangeOffsetTrend(_ slider: RangeSlider) { log.add("trend \(Self.short(slider.offsetTrend))") }

  static func short(_ value: Double) -> String { "\((value * 1000).rounded() / 1000)" }

  /// Where `value` is in the window.
  func place(_ value: Double, dx: Double = 0, dy: Double = 0) -> Point {
    let geometry = slider.geometry
    let along = ValueLimits(minimum: slider.minimumValue, maximum: slider.maximumValue)
      .position(of: value, on: geometry.axis)
    let square = geometry.thumb(at: along)
    return slider.convert(square.center, to: nil).offsetBy(dx: dx, dy: dy)
  }
}
