import ControlHarness
import Controls
import ControlsUI
import Testing

/// Tests of bindings, and of what descriptions pass on to those inside.
@MainActor @Suite(.serialized) struct PartTests {
  @Test func `a binding to a part sets the part, of a model, a state and an object that a state holds`() throws {
    let spans = Spans()
    let harness = shown(PartPanel(spans: spans), in: Size(width: 320, height: 260))
    func drag(_ name: String) throws -> Controls.Slider {
      let slider = try #require(harness.view(name, Controls.Slider.self))
      let start = slider.windowFrame.center
      harness.drag(from: start, to: start + Point(x: 40, y: 0))
      harness.settle()
      return slider
    }
    let model = try drag("model")
    #expect(model.value > 0.25 && spans.span == Span(low: model.value, high: 0.75))
    let (state, object) = (try drag("state"), try drag("object"))
    #expect(state.value > 0.75 && object.value > 0.25)
    #expect(harness.view("text", Label.self)?.text == "\(state.value) \(object.value)")
    #expect(try drag("constant").value == 0.5, "nobody changes it")
  }

  @Test func `the innermost word about a view holds, except that a disabled panel has no enabled part`() throws {
    for isDisabled in [false, true] {
      let harness = shown(Inherited(isDisabled: isDisabled))
      let (one, two) = (harness.view("one", Label.self), harness.view("two", Label.self))
      #expect(one?.textStyle == .title && two?.textStyle == .caption)
      #expect(one?.alpha == 0.5 && two?.toolTip == "both" && one?.superview?.alpha == 0.9)
      let button = try #require(harness.view("press", Controls.Button.self))
      #expect(button.isEnabled != isDisabled && button.accessibilityLabel == "Press it")
    }
  }

  @Test func `a picture that is not there is the view's error, and a frame has the height that it was given`() {
    let harness = shown(Inherited(isDisabled: false))
    let frame = harness.view("frame")
    #expect(frame?.bounds.height == 40 && frame?.bounds.width == 320)
    #expect((frame?.subviews.first as? ImageView)?.imageError != nil)
  }

  @Test func `a text editor shows its binding's text, and sets it when the user leaves it`() throws {
    let pump = Pump()
    pump.note = "one"
    let harness = shown(Note(pump: pump), in: Size(width: 320, height: 160))
    let editor = try #require(harness.view("note", TextView.self))
    #expect(editor.text == "one" && editor.textAlignment == .center)
    harness.press(.tab)
    harness.press(.enter)
    harness.type("two")
    #expect(editor.draft == "\ntwoone" && pump.note == "one")
    harness.press(.enter, .control)
    #expect(pump.note == "\ntwoone")
    pump.note = "three"
    harness.frame()
    #expect(editor.draft == "three")
  }
}

private struct Note: ControlsUI.View {
  @Bindable var pump: Pump

  var body: some ControlsUI.View {
    TextEditor(text: $pump.note).multilineTextAlignment(.center).accessibilityIdentifier("note")
  }
}
