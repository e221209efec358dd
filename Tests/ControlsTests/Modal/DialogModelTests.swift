import Testing

@testable import Controls

/// Tests of dialogs, sheets and toasts as values.
@Suite struct DialogModelTests {
  @Test(
    arguments: [
      (.enter, 1, 0, 1), (.escape, 1, 0, 0), (.enter, -1, 0, nil), (.escape, 1, -1, nil), (.escape, 1, 7, nil),
      (.space, 1, 0, nil), (.tab, 1, 0, nil),
    ] as [(Key, Int, Int, Int?)])
  func `Enter gives the default answer, Escape that which cancels, and no other key any`(
    key: Key, defaultIndex: Int, cancelIndex: Int, answer: Int?
  ) {
    let model = DialogModel(titles: ["No", "Yes"], defaultIndex: defaultIndex, cancelIndex: cancelIndex)
    #expect(model.answer(to: key) == answer)
  }

  private func geometry(
    _ size: Size, message: Double = 40, buttons: [Double], _ direction: LayoutDirection = .leftToRight
  ) -> DialogGeometry {
    DialogGeometry(
      size: size, title: 20, message: message, content: 0, buttons: buttons.map { Size(width: $0, height: 40) },
      direction: direction)
  }

  @Test func `answers stand at the trailing end of one row, as high as a finger`() {
    let geometry = geometry(Size(width: 600, height: 400), buttons: [90, 110])
    let inner = DialogGeometry.innerWidth(in: Size(width: 600, height: 400), button: 0)
    #expect(inner == 380)
    #expect(geometry.buttons.map(\.width) == [90, 110] && geometry.buttons.allSatisfy { $0.height == 44 })
    #expect(
      geometry.buttons[1].maxX == geometry.card.width - 20 && geometry.buttons[0].maxX == geometry.buttons[1].minX - 12)
    #expect(geometry.buttons[0].maxY == geometry.card.height - 20)
  }

  @Test func `from right to left the first answer is on the right`() {
    let size = Size(width: 600, height: 400)
    let (left, right) = (geometry(size, buttons: [90, 110]), geometry(size, buttons: [90, 110], .rightToLeft))
    for (a, b) in zip(left.buttons, right.buttons) { #expect(a.minX == left.card.width - b.maxX) }
  }

  @Test func `answers that need more room than a row are below each other, each as wide as the card`() {
    let geometry = geometry(Size(width: 320, height: 400), buttons: [150, 150])
    #expect(geometry.buttons.map(\.width) == [248, 248] && geometry.buttons[0].maxY < geometry.buttons[1].minY)
  }

  @Test func `where there is not enough room, the message gives way and never the answers`() {
    let geometry = geometry(Size(width: 320, height: 180), message: 500, buttons: [80])
    #expect(geometry.card.height == 148 && geometry.buttons[0].maxY <= geometry.card.height - 20)
    #expect(geometry.buttons[0].height == 44 && geometry.message.maxY <= geometry.buttons[0].minY)
  }

  @Test(arguments: [
    (0.0, 0.0, false), (119, 0, false), (121, 0, true), (10, 900, true), (290, -900, false), (-50, 0, false),
    (.nan, 0, false),
  ]) func `a sheet closes below two fifths of its height, or when it is flung down`(
    travel: Double, velocity: Double, closes: Bool
  ) {
    var model = DragAwayModel(length: 300)
    model.drag(by: travel)
    #expect(model.goes(at: velocity) == closes)
    #expect((0...1).contains(model.shown))
  }

  private let start = MonotonicTime.zero + .seconds(5)

  @Test func `messages follow each other, each for its time`() {
    var model = ToastModel()
    model.add("a", for: .seconds(3), at: start)
    model.add("b", for: .seconds(3), at: start + .seconds(1))
    #expect(model.shown == "a" && model.waitingCount == 1)
    model.pass(to: start + .milliseconds(2999), for: .seconds(3))
    #expect(model.shown == "a")
    model.pass(to: start + .seconds(3), for: .seconds(3))
    #expect(model.shown == "b" && model.end == start + .seconds(6))
    model.pass(to: start + .seconds(6), for: .seconds(3))
    #expect(model.shown == "" && model.end == nil)
  }

  @Test func `what is shown already is not said again, and an empty text says nothing`() {
    var model = ToastModel()
    for text in ["", "a", "a", "b", "b", "a"] { model.add(text, for: .seconds(1), at: start) }
    #expect(model.shown == "a" && model.waitingCount == 2)
  }

  @Test func `of too many messages the oldest that wait are left out`() {
    var model = ToastModel()
    for number in 0...100 { model.add("\(number)", for: .seconds(1), at: start) }
    #expect(model.waitingCount == ToastModel.capacity && model.shown == "0")
    model.pass(to: start + .seconds(1), for: .seconds(1))
    #expect(model.shown == "81")
  }

  @Test func `where the broadest button does not fit, the card takes the room around it`() {
    let size = Size(width: 240, height: 300)
    #expect(DialogGeometry.innerWidth(in: size, button: 160) == 168)
    #expect(DialogGeometry.innerWidth(in: size, button: 190) == 200)
    let tight = DialogGeometry(
      size: size, title: 20, message: 0, content: 0,
      buttons: [Size(width: 150, height: 44), Size(width: 190, height: 44)], direction: .leftToRight)
    #expect(tight.card.width == 224 && tight.buttons.map(\.width) == [200, 200])
    #expect(tight.buttons[1].minY - tight.buttons[0].maxY == DialogGeometry.spacing)
  }
}
