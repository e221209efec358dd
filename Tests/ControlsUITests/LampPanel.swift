import ControlsUI

// The description of docs/touch-panel.md.

@Observable final class Light {
  var brightness = 70.0
  var isOn = true
}

struct LampPanel: View {
  @Bindable var light: Light

  var body: some View {
    AdaptiveStack(spacing: 32, distribution: .fillEqually) {
      Text(light.isOn ? "\(Int(light.brightness)) %" : "Off").font(size: 96).multilineTextAlignment(.center)
      VStack(spacing: 32) {
        Slider(value: $light.brightness, in: 0...100, step: 5).accessibilityLabel("Brightness").disabled(!light.isOn)
        Button(light.isOn ? "Turn off" : "Turn on") { light.isOn.toggle() }.buttonStyle(.prominent)
      }
    }
    .padding(32)
  }
}
