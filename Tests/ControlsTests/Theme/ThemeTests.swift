import ControlExercises
import ControlHarness
import Controls
import ScreenJudging
import Testing

/// A view in the colours of its theme, that counts what it hears.
private final class ThemedView: View {
  var heard: [Bool] = []
  var layouts = 0

  override func themeDidChange() { heard.append(theme.isDark) }
  override func layoutSubviews() { layouts += 1 }
  override var hasStaticDrawing: Bool { true }
  override func drawStatic(_ canvas: Canvas) {
    canvas.fill(Path(rect: Rect(x: 0, y: 0, width: bounds.width / 2, height: bounds.height)), theme.panel)
  }
  override func draw(_ canvas: Canvas) {
    canvas.fill(Path(rect: Rect(x: 10, y: 10, width: 10, height: 10)), theme.label)
  }
}

@MainActor @Suite(.serialized) struct ThemeTests {
  @Test func `a view has the theme of its root, and the light one without a root`() {
    let (root, outer, inner) = (RootView(), ThemedView(), ThemedView())
    outer.addSubview(inner)
    #expect(inner.theme == .light && root.theme == .light)
    root.theme = .dark
    #expect(inner.theme == .light && inner.heard.isEmpty)
    root.addSubview(outer)
    #expect(inner.theme == .dark && inner.heard == [true] && outer.heard == [true])
    outer.removeFromSuperview()
    #expect(inner.theme == .light && inner.heard == [true, false])
    root.theme = .light
    root.addSubview(outer)
    #expect(inner.heard == [true, false], "the same theme is no news")
  }

  @Test func `a window's ground is its theme's until it is given another`() {
    let root = RootView()
    #expect(root.backgroundColor == Theme.light.background)
    root.theme = .dark
    #expect(root.backgroundColor == Theme.dark.background)
    root.backgroundColor = .black
    root.theme = .light
    #expect(root.backgroundColor == .black)
    root.backgroundColor = nil
    root.theme = .dark
    #expect(root.backgroundColor == nil)
  }

  @Test func `another theme draws everything again, kept static drawings too`() {
    let harness = ControlHarness(size: Size(width: 60, height: 40))
    let (outer, inner) = (ThemedView(frame: Rect(x: 0, y: 0, width: 60, height: 40)), ThemedView())
    inner.frame = Rect(x: 30, y: 10, width: 20, height: 20)
    outer.addSubview(inner)
    harness.root.addSubview(outer)
    harness.frame()
    let light = harness.shown
    harness.root.theme = .dark
    #expect(harness.root.needsFrame)
    harness.frame()
    #expect(harness.shown != light)
    #expect(outer.layouts == 1, "colours move nothing")
    harness.root.theme = .light
    harness.frame()
    #expect(harness.shown == light)
    #expect(outer.heard == [true, false] && inner.heard == [true, false])
    harness.root.theme = .light
    #expect(!harness.root.needsFrame)
  }

  @Test func `other sizes of text have everything laid out again`() {
    let harness = ControlHarness(size: Size(width: 60, height: 40))
    let view = ThemedView(frame: Rect(x: 0, y: 0, width: 60, height: 40))
    harness.root.addSubview(view)
    harness.frame()
    var theme = Theme.light
    theme.fontSizes[.body] = 20
    harness.root.theme = theme
    harness.frame()
    #expect(view.layouts == 2)
    #expect(view.theme.font(.body).size == 20)
  }

  @Test(arguments: [(4.0, 12.0), (12, 12), (13.5, 13.5), (900, 200), (.nan, 12), (.infinity, 200), (-.infinity, 12)])
  func `no text is smaller than 12 points`(size: Double, is expected: Double) {
    var sizes = Theme.FontSizes(title: size, body: size, caption: size)
    for style in Theme.TextStyle.allCases {
      #expect(sizes[style] == expected)
      sizes[style] = 15
      sizes[style] = size
      #expect(sizes[style] == expected)
    }
  }

  @Test func `R3, R10: the articles' track, highlight, thumb and shade are a theme of their own`() {
    #expect(Theme.article.track == Color(white: 0.9))
    #expect(Theme.article.trackHighlight == Color(red: 0, green: 0.45, blue: 0.94))
    #expect(Theme.article.thumb == .white && Theme.article.thumbOutline == Color(white: 0.5))
    #expect(Theme.article.pressed == .black.withAlpha(0.1))
    #expect(Theme.light.trackHighlight == Theme.light.accent && Theme.dark.trackHighlight == Theme.dark.accent)
    #expect(Theme.dark.accent == Color(hex: 0x2dd4bf))
  }

  @Test(arguments: [Theme.light, .dark])
  func `everything can be read: text at 4.5 to 1, signs and parts of controls at 3 to 1`(theme: Theme) {
    for ground in [theme.background, theme.panel, theme.fill] {
      #expect(Contrast.ratio(theme.label, ground) >= 7)
      #expect(Contrast.ratio(theme.secondaryLabel, ground) >= 4.5)
      for color in [theme.accent, theme.attention, theme.stop, theme.trackHighlight] {
        #expect(Contrast.ratio(color, ground) >= 3, "\(color.hexString) on \(ground.hexString)")
      }
    }
    for color in [theme.accent, theme.trackHighlight] {
      #expect(Contrast.ratio(theme.onAccent, color) >= 4, "\(color.hexString)")
    }
    #expect(Contrast.ratio(theme.trackHighlight, theme.track) >= 3)
    let thumb = max(Contrast.ratio(theme.thumb, theme.track), Contrast.ratio(theme.thumbOutline, theme.track))
    #expect(thumb >= 3)
    #expect(theme.isDark == (Contrast.luminance(theme.background.pixel) < 0.5))
  }
}
