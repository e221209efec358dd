import Controls

/// A recording of an hour, of which the slider's scale shows ten minutes: a drag past an end scrolls it.
final class Timeline: RangeSliderDelegate {
  let slider = RangeSlider(frame: Rect(x: 20, y: 20, width: 320, height: 31))

  init() {
    slider.maximumValue = 10
    slider.delegate = self
  }

  func rangeSliderDidChangeOffsetTrend(_ slider: RangeSlider) {
    let minutes = slider.getAndResetOffsetTrend()
    let beginning = min(max(slider.minimumValue + minutes, 0), 50)
    // The limit on the side of the motion goes first, so that the range between them is not pushed.
    if minutes > 0 { slider.maximumValue = beginning + 10 }
    slider.minimumValue = beginning
    slider.maximumValue = beginning + 10
  }
}
