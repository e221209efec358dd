import ControlHarness
import Controls
import ControlsUI
import Testing

@Observable private final class Job {
  var asks = false
  var shows = false
  var isLocked = false
  var level = 0.25
  var done: [String] = []
  var secret = ""
  /// Refuses to close while it is locked.
  var asksUnlessLocked: Bool {
    get { asks }
    set { if !isLocked { asks = newValue } }
  }
}

private struct JobPanel: ControlsUI.View {
  @Bindable var job: Job

  var body: some ControlsUI.View {
    VStack {
      ControlsUI.Button("Stop") { job.asks = true }.accessibilityIdentifier("stop")
      SecureField("Password", text: $job.secret).accessibilityIdentifier("secret")
      ControlsUI.Grid(columns: 2, spacing: 10) {
        ForEach(["a", "b", "c"], id: \.self) { Text($0) }
      }
      .accessibilityIdentifier("grid")
    }
    .alert("Stop the job?", isPresented: $job.asksUnlessLocked, message: "It is at \(Int(job.level * 100)) %.") {
      ControlsUI.Button("Go on", role: .cancel) { job.done.append("goes on") }
      ControlsUI.Button("Stop", role: .destructive) { job.done.append("stopped") }
    }
    .sheet("Level", isPresented: $job.shows, height: 160) {
      Slider(value: $job.level).accessibilityIdentifier("level")
    }
  }
}

/// Tests of what lies over the window while a binding says so.
@MainActor @Suite(.serialized) struct PresentingTests {
  private let job = Job()

  private func panel() -> ControlHarness { shown(JobPanel(job: job), in: Size(width: 400, height: 320)) }

  private func modal<Shown: ModalView>(_ harness: ControlHarness, _ type: Shown.Type = Shown.self) -> Shown? {
    harness.root.modalView as? Shown
  }

  @Test func `an alert is open while its binding says so, and a button closes it before its action`() throws {
    let harness = panel()
    #expect(harness.root.modalView == nil)
    harness.tap(try #require(harness.view("stop")))
    harness.settle()
    let dialog = try #require(modal(harness, Dialog.self))
    #expect(
      dialog.title == "Stop the job?" && dialog.message == "It is at 25 %." && dialog.answers == ["Go on", "Stop"])
    job.level = 0.5
    harness.settle()
    #expect(modal(harness) === dialog && dialog.message == "It is at 50 %.", "it is the same one")
    harness.press(.escape)
    harness.settle()
    #expect(!job.asks && job.done == ["goes on"] && harness.root.modalView == nil && dialog.superview == nil)
    job.asks = true
    harness.settle()
    job.asks = false
    harness.settle()
    #expect(harness.root.modalView == nil && job.done == ["goes on"], "code closes it without an answer")
  }

  @Test func `Enter never gives a destructive answer that has no focus, a tap does`() throws {
    let harness = panel()
    job.asks = true
    harness.settle()
    let dialog = try #require(modal(harness, Dialog.self))
    #expect(dialog.defaultIndex == -1 && dialog.cancelIndex == 0)
    #expect((harness.root.firstResponder as? Controls.Button)?.title == "Go on")
    harness.press(.enter)
    harness.settle()
    #expect(job.done == ["goes on"])
    job.asks = true
    harness.settle()
    harness.press(.tab)
    harness.press(.enter)
    harness.settle()
    #expect(job.done == ["goes on", "stopped"] && !job.asks)
  }

  @Test func `an alert that the model does not let go is asked again`() throws {
    let harness = panel()
    job.asks = true
    harness.settle()
    job.isLocked = true
    harness.press(.escape)
    harness.settle()
    #expect(job.asks && modal(harness, Dialog.self)?.isOpen == true && job.done == ["goes on"])
  }

  @Test func `a finger that holds a control is let go by an alert, and moves nothing behind it`() throws {
    let harness = panel()
    let stop = try #require(harness.view("stop", Controls.Button.self))
    harness.touch(.began, at: stop.windowFrame.center)
    job.asks = true
    harness.frame()
    #expect(!stop.isHighlighted && harness.root.isInputIdle)
    harness.touch(.ended, at: stop.windowFrame.center)
    harness.settle()
    #expect(job.done == [] && job.asks)
  }

  @Test func `a sheet shows what its block describes, and a user closes it`() throws {
    let harness = panel()
    job.shows = true
    harness.settle()
    let sheet = try #require(modal(harness, Sheet.self))
    let level = try #require(harness.view("level", Controls.Slider.self))
    #expect(sheet.height == 160 && level.isDescendant(of: sheet) && level.value == 0.25)
    job.level = 0.75
    harness.settle()
    #expect(level.value == 0.75)
    let start = level.windowFrame.center
    harness.drag(from: start, to: start - Point(x: 60, y: 0))
    #expect(job.level < 0.75 && job.shows)
    harness.tap(Point(x: 200, y: 20))
    harness.settle()
    #expect(!job.shows && harness.root.modalView == nil && sheet.superview == nil)
  }

  @Test func `a panel that leaves the window takes its alert along, and brings it back`() throws {
    let harness = panel()
    job.asks = true
    harness.settle()
    let host = try #require(harness.root.subviews.first)
    host.removeFromSuperview()
    harness.settle()
    #expect(harness.root.modalView == nil && job.asks)
    harness.root.addSubview(host)
    harness.settle()
    #expect(modal(harness, Dialog.self)?.isOpen == true)
  }

  @Test func `a password is committed like a text, and a grid has rows of its columns`() throws {
    let harness = panel()
    let field = try #require(harness.view("secret", PasswordField.self))
    field.becomeFirstResponder()
    harness.type("key")
    harness.press(.enter)
    #expect(job.secret == "key")
    let cells = try #require(harness.view("grid", Controls.Grid.self)).subviews.map(\.frame)
    #expect(cells.count == 3 && cells[0].minY == cells[1].minY && cells[2].minY >= cells[0].maxY + 10)
    #expect(cells[1].minX - cells[0].maxX == 10 && cells[0].width == cells[1].width)
  }
}
