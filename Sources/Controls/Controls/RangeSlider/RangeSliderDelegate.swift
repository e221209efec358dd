/// The one receiver of what a range slider says about drags (O7, R18). Every function may be left out.
///
/// For changes of the value there are events, for any number of receivers: `valueChanged`, `editingDidBegin` and
/// `editingDidEnd` or `editingDidCancel`.
public protocol RangeSliderDelegate: AnyObject {
  /// A person begins to drag: the finger has moved, and nothing has changed yet. Once, however many fingers drag.
  func rangeSliderWillBeginDragging(_ slider: RangeSlider)

  /// Nobody drags any more, and nothing is highlighted (O14); also when the last finger was taken away (O-D7).
  func rangeSliderDidEndDragging(_ slider: RangeSlider)

  /// A finger moved past an end, further out or back, with or without changing the range: `RangeSlider.offsetTrend` says by how
  /// much, and `RangeSlider.overshoot` how far it is past the end now (O6).
  func rangeSliderDidChangeOffsetTrend(_ slider: RangeSlider)
}

extension RangeSliderDelegate {
  /// Does nothing.
  public func rangeSliderWillBeginDragging(_ slider: RangeSlider) {}
  /// Does nothing.
  public func rangeSliderDidEndDragging(_ slider: RangeSlider) {}
  /// Does nothing.
  public func rangeSliderDidChangeOffsetTrend(_ slider: RangeSlider) {}
}
