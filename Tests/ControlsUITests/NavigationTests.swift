import ControlHarness
import Controls
import ControlsUI
import Testing

@Observable private final class Tour {
  var path: [String] = []
  var message = ""
  var count = 0
  var isLocked = false
  @ObservationIgnored var tries = 0
  /// Refuses to go back while it is locked.
  var lockedPath: [String] {
    get { path }
    set {
      tries += 1
      if !isLocked { path = newValue }
    }
  }
}

private struct TourPanel: ControlsUI.View {
  @Bindable var tour: Tour

  var body: some ControlsUI.View {
    NavigationStack("Start", path: $tour.lockedPath) {
      VStack {
        ControlsUI.Button("Go") { tour.path.append("one") }.accessibilityIdentifier("go")
        Text("\(tour.count)").accessibilityIdentifier("count")
      }
    } destination: { step in
      StepView(tour: tour, step: step)
    } title: {
      "Page \($0)"
    }
    .toast($tour.message)
  }
}

private struct StepView: ControlsUI.View {
  let tour: Tour
  let step: String
  @State private var taps = 0

  var body: some ControlsUI.View {
    VStack {
      Text("\(step) \(tour.count)").accessibilityIdentifier("text \(step)")
      ControlsUI.Button("\(taps)") { taps += 1 }.accessibilityIdentifier("taps \(step)")
    }
  }
}

/// Tests of pages that a path describes, and of messages that go by themselves.
@MainActor @Suite(.serialized) struct NavigationTests {
  private let tour = Tour()

  private func panel(_ root: RootView = ControlHarness.blackRoot()) -> ControlHarness {
    shown(TourPanel(tour: tour), in: Size(width: 320, height: 240), root: root)
  }

  private func pages(_ harness: ControlHarness) throws -> PageView {
    func find(_ view: Controls.View) -> PageView? { view as? PageView ?? view.subviews.lazy.compactMap(find).first }
    return try #require(find(harness.root))
  }

  // MARK: Pages

  @Test func `each step of the path is a page over those before, and going back removes the last`() throws {
    let harness = panel()
    let view = try pages(harness)
    harness.tap(try #require(harness.view("go")))
    harness.settle()
    #expect(tour.path == ["one"] && view.selectedIndex == 1 && view.selectedPage?.name == "Page one")
    tour.path.append("two")
    harness.settle()
    #expect(view.pages.count == 3 && harness.view("text two", Label.self)?.text == "two 0")
    harness.view("taps two")?.becomeFirstResponder()
    harness.press(.escape)
    harness.settle()
    #expect(tour.path == ["one"] && view.pages.count == 2 && view.selectedPage?.name == "Page one")
    tour.path = ["one", "three", "four"]
    harness.settle()
    #expect(view.pages.map(\.name) == ["Start", "Page one", "Page three", "Page four"] && view.selectedIndex == 3)
    tour.path = []
    harness.settle()
    #expect(view.pages.count == 1 && view.selectedIndex == 0)
  }

  @Test func `a page keeps its view and states while its step stays where it is, and another step has another page`()
    throws
  {
    tour.path = ["one", "two"]
    let harness = panel()
    let view = try pages(harness)
    harness.settle()
    #expect(view.selectedIndex == 2)
    harness.tap(try #require(harness.view("taps two")))
    harness.settle()
    let page = view.selectedPage
    tour.count = 7
    harness.settle()
    #expect(harness.view("text two", Label.self)?.text == "two 7" && view.selectedPage === page)
    #expect(harness.view("taps two", Controls.Button.self)?.title == "1")
    tour.path = ["one", "two", "three"]
    harness.settle()
    harness.view("taps three")?.becomeFirstResponder()
    harness.press(.left, .alt)
    harness.settle()
    #expect(view.selectedPage === page && harness.view("taps two", Controls.Button.self)?.title == "1")
    tour.path = ["one", "other"]
    harness.settle()
    #expect(view.pages.count == 3 && view.selectedPage !== page && harness.view("taps two") == nil)
  }

  @Test func `a model that refuses keeps its page, with what the user did on it`() throws {
    tour.path = ["one"]
    let harness = panel()
    let view = try pages(harness)
    harness.settle()
    harness.tap(try #require(harness.view("taps one")))
    let page = view.selectedPage
    tour.isLocked = true
    harness.view("taps one")?.becomeFirstResponder()
    harness.press(.escape)
    harness.settle()
    #expect(tour.tries == 1 && tour.path == ["one"] && view.selectedPage === page && view.selectedIndex == 1)
    #expect(harness.view("taps one", Controls.Button.self)?.title == "1")
  }

  @Test func `a change that a page shows redraws that text alone`() throws {
    tour.path = ["one"]
    let harness = panel()
    harness.settle()
    let text = try #require(harness.view("text one"))
    tour.count = 3
    harness.frame()
    let frame = text.windowFrame
    #expect(!harness.lastDamage.isEmpty)
    for rect in harness.lastDamage.rects {
      #expect(Double(rect.y) >= frame.minY - 1 && Double(rect.maxY) <= frame.maxY + 1, "\(rect) in \(frame)")
    }
    #expect(!harness.root.needsFrame)
  }

  @Test func `described pages are byte for byte those that are pushed by hand`() throws {
    func root() -> RootView {
      let root = RootView()
      (root.theme, root.prefersReducedMotion) = (.light, true)
      return root
    }
    func column(_ texts: [String], _ title: String) -> StackView {
      let labels = texts.dropLast().map { text in
        let label = Label(text)
        label.numberOfLines = 0
        return label
      }
      let column = StackView(labels as [Controls.View], spacing: 8)
      let button = Controls.Button()
      button.title = texts.last ?? ""
      // As the description has them.
      if title == "Start" { column.insertSubview(button, at: 0) } else { column.addSubview(button) }
      column.verticalAlignment = .center
      column.name = title
      return column
    }
    let described = panel(root())
    let made = ControlHarness(size: Size(width: 320, height: 240), root: root())
    let view = PageView()
    view.anchors = LayoutAnchors(margins: .zero)
    view.contentHost.addSubview(column(["0", "Go"], "Start"))
    made.root.addSubview(view)
    for step in 0..<3 {
      switch step {
      case 1:
        tour.path = ["one"]
        view.push(column(["one 0", "0"], "Page one"))
      case 2:
        tour.path = []
        view.pop()
      default: break
      }
      made.settle()
      described.settle()
      #expect(
        made.shown == described.shown, "step \(step): \(made.shown.difference(from: described.shown).count) pixels")
    }
  }

  // MARK: Toasts

  @Test func `a message is shown and taken from the model, so that it may come again`() throws {
    let harness = panel()
    func toast() -> Toast? { harness.root.subviews.compactMap { $0 as? Toast }.first }
    #expect(toast() == nil)
    tour.message = "Saved"
    harness.frame()
    #expect(tour.message.isEmpty && toast()?.text == "Saved")
    tour.message = "Sent"
    harness.frame()
    #expect(toast()?.text == "Saved" && toast()?.waitingCount == 1)
    harness.advance(by: .seconds(4))
    #expect(toast()?.text == "Sent")
    harness.advance(by: .seconds(4))
    #expect(toast()?.text.isEmpty == true)
    tour.message = "Saved"
    harness.frame()
    #expect(toast()?.text == "Saved")
  }

  @Test func `a toast by description is byte for byte the one by hand`() throws {
    func root() -> RootView {
      let root = RootView()
      (root.theme, root.prefersReducedMotion) = (.dark, true)
      return root
    }
    let (described, made) = (panel(root()), panel(root()))
    tour.message = "Saved to the card"
    // One model: whichever panel is asked first takes the message.
    described.frame()
    made.frame()
    #expect(tour.message.isEmpty)
    let isFirst = described.root.subviews.contains { $0 is Toast }
    Toast.show("Saved to the card", over: try #require((isFirst ? made : described).root.subviews.first))
    described.settle()
    made.settle()
    #expect(described.shown == made.shown)
  }

  @Test func `a message of a panel without a window waits for one`() throws {
    let harness = panel()
    let host = try #require(harness.root.subviews.first)
    host.removeFromSuperview()
    tour.message = "Late"
    harness.settle()
    #expect(tour.message == "Late")
    harness.root.addSubview(host)
    harness.settle()
    #expect(tour.message.isEmpty && harness.root.subviews.contains { ($0 as? Toast)?.text == "Late" })
  }
}
