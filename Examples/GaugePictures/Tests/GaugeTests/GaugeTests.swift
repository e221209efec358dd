import Gauge
import ScreenshotTesting
import Testing

@Test func `the gauge looks as it did`() throws {
  try verifyScreenshots(
    of: "gauge", sizes: [Size(width: 60, height: 120)], scales: [.one, Scale(2)], themes: [.light, .dark],
    states: [.initial, .init("low") { $0.level = 0.1 }, .init("full") { $0.level = 1 }], tolerance: .text
  ) { Gauge() }
}
