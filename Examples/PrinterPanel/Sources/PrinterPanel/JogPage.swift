import ControlsUI

/// Moves the head by hand, a step for each tap.
struct JogPage: View {
  @Bindable var printer: Printer

  var body: some View {
    AdaptiveStack(spacing: 24, distribution: .fillEqually) {
      VStack(spacing: 12) {
        row(nil, .away, nil, .up)
        row(.left, nil, .right, nil)
        row(nil, .near, nil, .down)
      }
      .disabled(printer.printing != nil)
      VStack(spacing: 16) {
        Text(place).multilineTextAlignment(.center)
        Text("Step in millimetres").font(.caption).multilineTextAlignment(.center)
        Picker("Step", selection: $printer.stepLength, choices: [0.1, 1, 10]).pickerStyle(.segmented)
      }
    }
  }

  private var place: String {
    let position = printer.position
    return [("X", position.x), ("Y", position.y), ("Z", position.z)].map { name, value in
      "\(name) \((value * 10).rounded() / 10)"
    }.joined(separator: "   ")
  }

  private func row(_ directions: Direction?...) -> some View {
    HStack(alignment: nil, spacing: 12, distribution: .fillEqually) {
      ForEach(Array(directions.enumerated()), id: \.offset) { _, direction in
        if let direction { Button(direction.rawValue) { printer.move(direction) }.frame(height: 64) } else { Spacer() }
      }
    }
  }
}
