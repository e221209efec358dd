import ControlsUI

// Imports nothing of Controls: whoever writes a panel need not.

/// How often each body was evaluated.
final class Evaluations {
  private(set) var counts: [String: Int] = [:]

  func note(_ name: String) { counts[name, default: 0] += 1 }
  func reset() { counts = [:] }
}

/// A model with several properties.
@Observable final class Pump {
  var speed = 0.25
  var isRunning = true
  var name = "Pump"
  var mode = "Low"
  var fill = 0.5
  var note = ""
  var names = ["a", "b", "c"]
}

struct PumpName: View {
  let pump: Pump
  let evaluations: Evaluations

  var body: some View {
    let _ = evaluations.note("name")
    Text(pump.name).font(.title).accessibilityIdentifier("name")
  }
}

struct PumpSpeed: View {
  let pump: Pump
  let evaluations: Evaluations

  var body: some View {
    let _ = evaluations.note("speed")
    Text("\(Int((pump.speed * 100).rounded())) %").accessibilityIdentifier("percent")
  }
}

/// Every control.
struct PumpPanel: View {
  @Bindable var pump: Pump
  let evaluations: Evaluations

  var body: some View {
    let _ = evaluations.note("panel")
    VStack(spacing: 10) {
      PumpName(pump: pump, evaluations: evaluations)
      PumpSpeed(pump: pump, evaluations: evaluations)
      Slider(value: $pump.speed, step: 0.05).accessibilityLabel("Speed").accessibilityIdentifier("slider")
      Toggle("Running", isOn: $pump.isRunning).accessibilityIdentifier("toggle")
      Toggle("Running", isOn: $pump.isRunning).toggleStyle(.checkbox).accessibilityIdentifier("box")
      Picker("Mode", selection: $pump.mode, choices: ["Low", "High"]).pickerStyle(.segmented)
      Picker("Mode", selection: $pump.mode, choices: ["Low", "High"])
      Picker("Mode", selection: $pump.mode, choices: ["Low", "High"]).pickerStyle(.inline)
      TextField("Note", text: $pump.note).accessibilityIdentifier("note")
      Button("Reset") { pump.speed = 0 }.buttonStyle(.prominent).accessibilityIdentifier("reset")
    }
    .padding(16)
  }
}

/// The same model by names that come and go.
struct PumpNames: View {
  let pump: Pump

  var body: some View {
    VStack {
      if pump.isRunning {
        Text("runs").accessibilityIdentifier("runs")
      } else {
        Text("stands").accessibilityIdentifier("stands")
      }
      ForEach(pump.names, id: \.self) { name in
        Counter(name: name)
      }
      Spacer()
    }
  }
}

/// A view with a state of its own.
struct Counter: View {
  let name: String
  @State private var count = 0

  var body: some View {
    Button("\(name) \(count)") { count += 1 }.accessibilityIdentifier(name)
  }
}

/// A thing with an identity.
struct Item: Identifiable {
  let id: Int
  var title: String
}

@Observable final class Items {
  var items: [Item]
  var selection: Int?
  var level = 0.5

  init(count: Int) { items = (0..<count).map { Item(id: $0, title: "item \($0)") } }
}

struct ItemList: View {
  @Bindable var items: Items
  let evaluations: Evaluations

  var body: some View {
    List(items.items, selection: $items.selection) { item in
      HStack {
        let _ = evaluations.note("row")
        Text(item.title)
        Slider(value: $items.level).grow().accessibilityIdentifier("level \(item.id)")
        Counter(name: "count \(item.id)")
      }
    }
  }
}

/// The same elements in sections of ten, the first of which is left out if it is hidden.
struct SectionList: View {
  @Bindable var items: Items
  let evaluations: Evaluations
  var title = "tens"
  var hidesFirst = false

  var body: some View {
    List(selection: $items.selection) {
      if !hidesFirst { section(items.items.prefix(10), "\(title) 0") }
      for start in stride(from: 10, to: items.items.count, by: 10) {
        section(items.items[start..<min(start + 10, items.items.count)], "\(title) \(start / 10)")
      }
    }
  }

  private func section(_ items: ArraySlice<Item>, _ title: String) -> Section<ArraySlice<Item>, Int, Counter> {
    Section(title) { ForEach(items) { item in Counter(name: "count \(item.id)") } }
  }
}

/// A body that has no end.
struct Endless: View {
  var body: some View {
    VStack { Endless() }
  }
}

/// A parent whose own property changes, with a child that does not depend on it.
struct Outer: View {
  let pump: Pump
  let evaluations: Evaluations

  var body: some View {
    let _ = evaluations.note("outer")
    VStack {
      Text(pump.name)
      Inner(limits: 0...10, title: "a title that is longer than fifteen bytes", evaluations: evaluations)
    }
  }
}

struct Inner: View {
  let limits: ClosedRange<Double>
  let title: String
  let evaluations: Evaluations
  @State private var isOpen = false

  var body: some View {
    let _ = evaluations.note("inner")
    Toggle(title, isOn: $isOpen).toggleStyle(.checkbox).accessibilityIdentifier("inner")
  }
}

/// Modifiers and the views that only show.
struct Layers: View {
  var fill: Double

  var body: some View {
    ZStack {
      VStack(alignment: .leading, spacing: 4) {
        Text("two lines of text in a narrow frame").lineLimit(2).frame(width: 120)
        HStack(spacing: 6) {
          Text("left").foregroundStyle(.white).opacity(0.5)
          Spacer()
          Text("right").fontWeight(.bold)
        }
        Divider()
        ProgressView(value: fill)
        ProgressView()
      }
      .padding(EdgeInsets(top: 1, left: 2, bottom: 3, right: 4))
      .background(Color(hex: 0x203040))
    }
  }
}

/// What a slider sets is refused.
struct Refusing: View {
  let tries: Evaluations

  var body: some View {
    Slider(value: Binding(get: { 0.5 }, set: { _ in tries.note("set") })).accessibilityIdentifier("slider")
  }
}

/// Watches a property that never changes, and is described anew by each change of another.
struct Watching: View {
  let pump: Pump

  var body: some View {
    Unmoved(pump: pump, speed: pump.speed)
  }
}

struct Unmoved: View {
  let pump: Pump
  let speed: Double

  var body: some View {
    Text("\(pump.name) \(speed)")
  }
}
