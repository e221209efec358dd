import FoundationEssentials
import TestSupport
import Testing

@testable import ScreenshotTesting

/// Tests of taking pictures of views under every condition.
@MainActor @Suite(.serialized) struct ViewPictureTests {
  private func badge(
    _ conditions: ScreenshotConditions = .init(), _ state: ScreenshotState<Badge> = .initial
  ) throws -> Snapshot {
    let view = Badge()
    let made = ScreenshotFonts.use { Snapshot(of: view, conditions) { state.apply(view) } }
    return try #require(made)
  }

  @Test func `size and scale give the pixels, without a size the view's own or what suits it`() throws {
    #expect(try badge().size == PixelSize(width: 90, height: 30))
    #expect(try badge(.init(scale: Scale(1.5))).size == PixelSize(width: 135, height: 45))
    #expect(
      try badge(.init(size: Size(width: 99.2, height: 40), scale: Scale(2))).size == PixelSize(width: 200, height: 80))
    #expect(Snapshot(of: Fitting())?.size == PixelSize(width: 21, height: 11))
    for size in [
      Size.zero, Size(width: .nan, height: 5), Size(width: .infinity, height: 5), Size(width: -5, height: 5),
    ] {
      #expect(Snapshot(of: Badge(), .init(size: size)) == nil)
    }
    #expect(Snapshot(of: Badge(), .init(size: Size(width: 40_000, height: 1))) == nil)
    #expect(Snapshot(of: Badge(), .init(size: Size(width: 9000, height: 9000))) == nil)
    #expect(Snapshot(of: View()) == nil)
  }

  @Test func `each condition and state looks different, and the same twice`() throws {
    let all: [(ScreenshotConditions, ScreenshotState<Badge>)] = [
      (.init(), .initial), (.init(theme: .dark), .initial), (.init(layoutDirection: .rightToLeft), .initial),
      (.init(background: Color(hex: 0x884400)), .initial), (.init(), .highlighted), (.init(), .selected),
      (.init(), .selectedHighlighted), (.init(), .disabled), (.init(), .init("full") { $0.level = 1 }),
    ]
    let pictures = try all.map { try badge($0.0, $0.1) }
    for (first, a) in pictures.enumerated() {
      for (second, b) in pictures.enumerated() {
        #expect((a == b) == (first == second), "\(first) and \(second)")
      }
      #expect(try badge(all[first].0, all[first].1) == a)
    }
    #expect(try badge(.init(), .normal) == pictures[0])
  }

  @Test func `a view may lie on nothing at all`() throws {
    let clear = try badge(.init(background: .clear))
    #expect(clear[0, 0] == 0)
    #expect(clear[45, 3] >> 24 == 255)
    #expect(try badge()[0, 0] == 0xfff4_f6f8)
  }

  @Test func `a focused control has its ring, also where others come before it`() throws {
    let page = View(frame: Rect(x: 0, y: 0, width: 120, height: 100))
    let (first, second) = (Badge(frame: Rect(x: 10, y: 10, width: 90, height: 30)), Badge())
    second.frame = Rect(x: 10, y: 60, width: 90, height: 30)
    page.addSubview(first)
    page.addSubview(second)
    var focused = false
    let made = ScreenshotFonts.use {
      Snapshot(of: page, .init(background: .clear)) {
        ScreenshotState.focused.apply(second)
        focused = second.isFocused
      }
    }
    #expect(focused)
    // The ring is 2 points outside of the view and 2 wide.
    #expect(made?[55, 57] == 0xff0f_766e)
    #expect(made?[55, 7] == 0)
  }

  @Test func `names of states are those that people say`() {
    #expect(ScreenshotState<Badge>.normal.name.isEmpty)
    #expect(ScreenshotState<Badge>.selectedHighlighted.name == "selected-highlighted")
    #expect(ScreenshotState<Badge>.control([.focused, .highlighted, .disabled]).name == "disabled-highlighted-focused")
  }

  @Test func `time passes in frames, so that an animation is where it would be`() throws {
    func level(_ time: Duration) -> Double {
      let view = Badge()
      _ = Snapshot(of: view, time: time) {
        view.addAnimationIfAbsent(Animation(duration: .seconds(1), curve: .linear), forKey: "fill") { [weak view] in
          view?.level = $0
        }
      }
      return view.drawnLevel
    }
    #expect(level(.zero) == 0)
    #expect(abs(level(.milliseconds(250)) - 0.25) < 1e-6)
    #expect(level(.seconds(2)) == 1)
  }

  @Test func `a root is shown as it is, and a view goes back to nobody`() throws {
    let root = RootView(frame: Rect(x: 0, y: 0, width: 20, height: 10))
    root.backgroundColor = Color(hex: 0x123456)
    #expect(Snapshot(of: root)?.pixels.allSatisfy { $0 == 0xff12_3456 } == true)
    let view = Badge()
    root.addSubview(view)
    _ = Snapshot(of: view)
    #expect(view.superview == nil && view.root == nil)
  }

  @Test func `fonts are the fixed ones during the picture and those of before afterwards`() throws {
    let mine = FontLibrary(files: [], defaultFamily: "None")
    FontLibrary.shared = mine
    defer { FontLibrary.shared = ScreenshotFonts.library }
    let folder = try TemporaryFolder()
    var during: FontLibrary?
    try verifyScreenshots(
      of: "fonts", states: [.init("x") { _ in during = .shared }],
      references: folder.references(["SCREENSHOT_RECORD": "all"])
    ) { Badge() }
    #expect(during === ScreenshotFonts.library)
    #expect(FontLibrary.shared === mine)
  }

  @Test func `the fixed fonts are two files and nothing that the machine has besides`() throws {
    #expect(ScreenshotFonts.isComplete, "fonts-dejavu-core is missing")
    #expect(ScreenshotFonts.library.fontCount == 2)
    // A family that machines with fonts-dejavu have is not there: what stands in has the default's width.
    let (serif, sans) = (Font(size: 20, family: "DejaVu Serif"), Font(size: 20))
    let library = ScreenshotFonts.library
    #expect(library.layout("Wide", font: serif).size == library.layout("Wide", font: sans).size)
  }

  @Test func `fonts are looked for in the folder that the environment names first`() throws {
    let folder = try TemporaryFolder()
    #expect(ScreenshotFonts.make(environment: ["SCREENSHOT_FONTS": folder.path]).fontCount == 2)
    for name in ScreenshotFonts.names {
      try "no font".write(toFile: "\(folder.path)/\(name)", atomically: false, encoding: .utf8)
    }
    #expect(ScreenshotFonts.make(environment: ["SCREENSHOT_FONTS": folder.path]).fontCount == 0)
  }
}

/// A view without a size that knows what suits it.
private final class Fitting: View {
  override func sizeThatFits(_ size: Size) -> Size { Size(width: 20.4, height: 11) }
}
