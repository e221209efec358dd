import Controls
import Testing

/// Tests of where a button's picture and title lie.
@MainActor @Suite struct ButtonGeometryTests {
  /// A button with the sizes of its parts.
  private struct Sample {
    let button = Button(frame: Rect(x: 0, y: 0, width: 120, height: 60))
    var image: Size? = Size(width: 20, height: 20)
    var title: Size? = Size(width: 40, height: 16)

    var frames: (image: Rect, title: Rect) { button.frames(image: image, title: title) }
    var contentSize: Size { button.contentSize(image: image, title: title) }
  }

  /// 120 x 60 points with a picture of 20 x 20 and a title of 40 x 16, 4 apart.
  private func geometry(_ change: (Button) -> Void = { _ in }) -> Sample {
    let sample = Sample()
    (sample.button.contentInsets, sample.button.imageSpacing) = (.zero, 4)
    change(sample.button)
    return sample
  }

  nonisolated static let placements: [(ImagePlacement, Point, Point)] = [
    (.leading, Point(x: 28, y: 20), Point(x: 52, y: 22)), (.trailing, Point(x: 72, y: 20), Point(x: 28, y: 22)),
    (.top, Point(x: 50, y: 10), Point(x: 40, y: 34)), (.bottom, Point(x: 50, y: 30), Point(x: 40, y: 10)),
  ]

  @Test("K17: picture and title stand together in the middle", arguments: placements)
  func placement(placement: ImagePlacement, image: Point, title: Point) {
    let frames = geometry { $0.imagePlacement = placement }.frames
    #expect(frames.image == Rect(origin: image, size: Size(width: 20, height: 20)))
    #expect(frames.title == Rect(origin: title, size: Size(width: 40, height: 16)))
  }

  nonisolated static let alignments: [(HorizontalAlignment, Double, Double)] = [
    (.leading, 0, 56), (.center, 28, 28), (.trailing, 56, 0), (.left, 0, 0), (.right, 56, 56),
  ]

  @Test("K17: alignment is where reading begins or ends, or left and right", arguments: alignments)
  func horizontal(alignment: HorizontalAlignment, ltr: Double, rtl: Double) {
    let left = geometry { $0.horizontalAlignment = alignment }.frames
    #expect(min(left.image.minX, left.title.minX) == ltr)
    let right = geometry {
      $0.horizontalAlignment = alignment
      $0.layoutDirection = .rightToLeft
    }.frames
    #expect(min(right.image.minX, right.title.minX) == rtl)
    #expect(left.image.minX < left.title.minX && right.image.minX > right.title.minX)
  }

  @Test(arguments: [(VerticalAlignment.top, 0.0), (.center, 20), (.bottom, 40)])
  func `vertical alignment`(alignment: VerticalAlignment, y: Double) {
    #expect(geometry { $0.verticalAlignment = alignment }.frames.image.minY == y)
  }

  @Test("K17: each part's insets move it once all is aligned, and nothing else")
  func insets() {
    for alignment in HorizontalAlignment.allCases {
      let plain = geometry { $0.horizontalAlignment = alignment }.frames
      let moved = geometry {
        $0.horizontalAlignment = alignment
        $0.imageInsets = EdgeInsets(top: 3, left: 5, bottom: 1, right: 2)
        $0.titleInsets = EdgeInsets(top: 0, left: 0, bottom: 4, right: 10)
      }.frames
      #expect(moved.image == plain.image.offsetBy(dx: 3, dy: 2))
      #expect(moved.title == plain.title.offsetBy(dx: -10, dy: -4))
    }
  }

  @Test("K17: content insets count before alignment")
  func contentInsets() {
    let frames = geometry {
      $0.contentInsets = EdgeInsets(top: 6, left: 16, bottom: 0, right: 0)
      $0.horizontalAlignment = .leading
      $0.verticalAlignment = .top
    }.frames
    #expect(frames.image.origin == Point(x: 16, y: 6))
  }

  @Test func `from right to left all of it is the mirror image`() {
    for placement in ImagePlacement.allCases {
      let change: (Button) -> Void = {
        $0.imagePlacement = placement
        $0.contentInsets = EdgeInsets(top: 1, left: 9, bottom: 2, right: 3)
        $0.imageInsets = EdgeInsets(top: 0, left: 4, bottom: 0, right: 0)
        $0.horizontalAlignment = .leading
      }
      let (left, right) = (
        geometry(change).frames,
        geometry {
          change($0)
          $0.layoutDirection = .rightToLeft
        }.frames
      )
      #expect(right.image == Rect(origin: Point(x: 120 - left.image.maxX, y: left.image.minY), size: left.image.size))
      #expect(right.title == Rect(origin: Point(x: 120 - left.title.maxX, y: left.title.minY), size: left.title.size))
    }
  }

  @Test func `a title without room becomes narrower, the picture stays`() {
    let narrow = geometry { $0.frame.size.width = 50 }.frames
    #expect(
      narrow.image.width == 20 && narrow.image.minX == 0 && narrow.title == Rect(x: 24, y: 22, width: 26, height: 16))
    let tiny = geometry { $0.frame.size.width = 10 }.frames
    #expect(tiny.title.width == 0 && tiny.image.width == 20)
    let stacked = geometry {
      $0.frame.size.width = 30
      $0.imagePlacement = .top
    }.frames
    #expect(stacked.title.width == 30)
  }

  @Test func `alone each part is in the middle, and the content is as large as both`() {
    var image = geometry()
    image.title = nil
    #expect(image.frames.image.center == Point(x: 60, y: 30) && image.contentSize == Size(width: 20, height: 20))
    var title = geometry()
    title.image = nil
    #expect(title.frames.title.center == Point(x: 60, y: 30) && title.contentSize == Size(width: 40, height: 16))
    #expect(geometry().contentSize == Size(width: 64, height: 20))
    #expect(geometry { $0.imagePlacement = .bottom }.contentSize == Size(width: 40, height: 40))
    #expect(Button(frame: .zero).frames(image: nil, title: nil).image.isEmpty)
  }
}
