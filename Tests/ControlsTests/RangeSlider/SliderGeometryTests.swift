import Controls
import Testing

/// Tests of where a slider's parts lie.
nonisolated struct SliderGeometryTests {
  private func near(_ a: Rect, _ b: Rect) -> Bool {
    abs(a.minX - b.minX) + abs(a.minY - b.minY) + abs(a.width - b.width) + abs(a.height - b.height) < 1e-9
  }

  @Test func `R6: the track is the middle third; thumbs are squares around their values`() {
    let geometry = TrackGeometry(size: Size(width: 320, height: 31))
    #expect(near(geometry.track, Rect(x: 0, y: 31.0 / 3, width: 320, height: 31.0 / 3)))
    #expect(near(geometry.thumb(at: 73.3), Rect(x: 73.3 - 15.5, y: 0, width: 31, height: 31)))
  }

  @Test func `R9, O18: the lit part reaches from thumb to thumb, as high as the track`() {
    let geometry = TrackGeometry(size: Size(width: 320, height: 31))
    let expected = Rect(x: 73.3, y: 31.0 / 3, width: 173.4, height: 31.0 / 3)
    #expect(near(geometry.part(from: 73.3, to: 246.7), expected))
    #expect(near(geometry.part(from: 246.7, to: 73.3), expected))
  }

  @Test(arguments: [
    (Axis.horizontal, LayoutDirection.leftToRight, 15.5, 289.0),
    (.horizontal, .rightToLeft, 304.5, -289.0), (.vertical, .leftToRight, 304.5, -289.0),
    (.vertical, .rightToLeft, 304.5, -289.0),
  ])
  func `R7, O1: values grow rightwards, leftwards from right to left, and upwards`(
    orientation: Axis, direction: LayoutDirection, start: Double, extent: Double
  ) {
    let size = orientation == .horizontal ? Size(width: 320, height: 31) : Size(width: 31, height: 320)
    let geometry = TrackGeometry(size: size, orientation: orientation, direction: direction)
    #expect(geometry.axis == TrackAxis(start: start, extent: extent))
    let thumb = geometry.thumb(at: 100)
    #expect(orientation == .horizontal ? thumb.midX == 100 && thumb.minY == 0 : thumb.midY == 100 && thumb.minX == 0)
    #expect(geometry.position(of: Point(x: 3, y: 4)) == (orientation == .horizontal ? 3 : 4))
  }

  @Test func `O9: insets say where the scale's ends are, left and right, top and bottom`() {
    let insets = EdgeInsets(top: 1, left: 20, bottom: 2, right: 50)
    var geometry = TrackGeometry(size: Size(width: 320, height: 31), insets: insets)
    #expect(geometry.axis == TrackAxis(start: 20, extent: 250))
    geometry = TrackGeometry(size: Size(width: 320, height: 31), direction: .rightToLeft, insets: insets)
    #expect(geometry.axis == TrackAxis(start: 270, extent: -250))
    geometry = TrackGeometry(size: Size(width: 31, height: 320), orientation: .vertical, insets: insets)
    #expect(geometry.axis == TrackAxis(start: 318, extent: -317))
    geometry = TrackGeometry(size: Size(width: 40, height: 31), insets: insets)
    #expect(geometry.axis.extent == 0 && geometry.axis.start == 5, "no room: in the middle of what is there")
    geometry = TrackGeometry(size: Size(width: 320, height: 31), insets: EdgeInsets(.nan))
    #expect(geometry.axis == TrackAxis(start: 15.5, extent: 289))
  }

  @Test(arguments: [
    (Size(width: 31, height: 31), 15.5), (Size(width: 20, height: 31), 10.0), (Size(width: 1, height: 400), 0.5),
    (Size(width: 0, height: 0), 0.0), (Size(width: -5, height: 31), 0.0), (Size(width: .nan, height: 31), 0.0),
  ])
  func `R-D6: a slider that is not wider than high has its thumbs in the middle, and no scale`(
    size: Size, middle: Double
  ) {
    let geometry = TrackGeometry(size: size)
    #expect(geometry.axis == TrackAxis(start: middle, extent: 0))
    #expect(geometry.thumbLength >= 0 && geometry.thumbLength.isFinite)
    #expect(geometry.thumb(at: middle).isFinite && geometry.track.isFinite)
  }
}
