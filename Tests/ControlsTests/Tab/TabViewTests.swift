import ControlHarness
import Testing

@testable import Controls

/// Tests of the tab view: its pages, its bar, its keys.
@MainActor @Suite(.serialized) struct TabViewTests {
  let log = Log()

  private func shown() -> (ControlHarness, TabView, ChoiceControl?) {
    let harness = ControlHarness(size: Size(width: 320, height: 220))
    let tabs = TabView(frame: Rect(x: 10, y: 10, width: 300, height: 200))
    for name in ["Drive", "Link", "About"] {
      let page = View()
      page.name = name
      tabs.contentHost.addSubview(page)
    }
    harness.root.addSubview(tabs)
    harness.frame()
    harness.settle()
    tabs.addAction(for: .valueChanged) { [log] in log.add("\($0.selectedIndex)") }
    return (harness, tabs, tabs.view(named: "tabs") as? ChoiceControl)
  }

  @Test func `one page is shown, in all the room below the bar, which has the names of the pages`() throws {
    let (_, tabs, bar) = shown()
    #expect(try #require(bar).titles == ["Drive", "Link", "About"])
    #expect(tabs.pages.map(\.isHidden) == [false, true, true] && tabs.selectedPage?.name == "Drive")
    #expect(tabs.pages[0].windowFrame == Rect(x: 10, y: 58, width: 300, height: 152))
  }

  @Test func `a tap on a title shows its page, and code does so silently`() {
    let (harness, tabs, _) = shown()
    harness.tap(Point(x: 160, y: 28))
    harness.settle()
    #expect(tabs.selectedIndex == 1 && tabs.pages.map(\.isHidden) == [true, false, true] && log.take() == ["1"])
    tabs.selectedIndex = 2
    harness.settle()
    #expect(tabs.pages.map(\.isHidden) == [true, true, false] && log.take().isEmpty)
    tabs.selectedIndex = 7
    harness.settle()
    #expect(tabs.pages.allSatisfy(\.isHidden) && tabs.selectedPage == nil)
  }

  @Test func `arrows on the bar, and Control with Page Up and Page Down inside, change the page`() {
    let (harness, tabs, bar) = shown()
    let button = Button("Press")
    button.frame = Rect(x: 20, y: 20, width: 90, height: 44)
    tabs.pages[0].addSubview(button)
    harness.settle()
    harness.press(.tab)
    #expect(bar?.isFocused == true)
    harness.press(.right)
    harness.press(.left)
    harness.settle()
    #expect(log.take() == ["1", "0"])
    button.becomeFirstResponder()
    harness.press(.pageDown, .control)
    harness.settle()
    #expect(log.take() == ["1"] && tabs.selectedIndex == 1)
    harness.press(.pageUp)
    #expect(log.take().isEmpty)
  }

  @Test func `titles of its own replace the names, as far as there are any`() {
    let (harness, tabs, bar) = shown()
    tabs.choices = "Fahren|Verbindung"
    tabs.pages[2].name = ""
    harness.settle()
    #expect(bar?.titles == ["Fahren", "Verbindung", "3"])
  }

  @Test func `a page more, or less, changes the bar`() {
    let (harness, tabs, bar) = shown()
    let page = View()
    page.name = "More"
    tabs.contentHost.addSubview(page)
    harness.settle()
    #expect(bar?.titles == ["Drive", "Link", "About", "More"])
    tabs.pages.forEach { $0.removeFromSuperview() }
    harness.settle()
    #expect(bar?.titles.isEmpty == true && bar?.frame.height == 0)
  }

  @Test func `a disabled tab view changes nothing`() {
    let (harness, tabs, bar) = shown()
    tabs.isEnabled = false
    harness.settle()
    harness.tap(Point(x: 160, y: 28))
    #expect(tabs.selectedIndex == 0 && bar?.isEnabled == false && log.take().isEmpty)
  }
}
