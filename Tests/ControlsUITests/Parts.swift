import ControlsUI

/// A value with parts.
struct Span: Equatable {
  var low = 0.25
  var high = 0.75
}

@Observable final class Spans {
  var span = Span()
}

/// Bindings to parts of values, of a state and of an object that a state holds.
struct PartPanel: View {
  let spans: Spans
  @State private var own = Span()
  @State private var kept = Spans()

  var body: some View {
    VStack {
      Slider(value: Bindable(spans).span.low).accessibilityIdentifier("model")
      Slider(value: $own.high).accessibilityIdentifier("state")
      Slider(value: $kept.span.low).accessibilityIdentifier("object")
      Text("\(own.high) \(kept.span.low)").accessibilityIdentifier("text")
      Slider(value: .constant(0.5)).accessibilityIdentifier("constant")
    }
  }
}

/// What a group and a stack pass on.
struct Inherited: View {
  let isDisabled: Bool

  var body: some View {
    ScrollView {
      VStack {
        Group {
          Text("one").accessibilityIdentifier("one")
          Text("two").font(.caption).accessibilityIdentifier("two")
        }
        .font(.title).opacity(0.5).help("both")
        Button("press") {}.disabled(false).accessibilityIdentifier("press").accessibilityLabel("Press it")
      }
      .disabled(isDisabled)
      .opacity(0.9)
      Image(file: "/nowhere/at-all.png").frame(height: 40).accessibilityIdentifier("frame")
    }
  }
}
