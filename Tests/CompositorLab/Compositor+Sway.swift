extension Compositor {
  /// Headless, or a window of its host. (wlroots 0.15 sees only a touchscreen that comes after it: hands come later anyway.)
  static func swayRecipe(
    _ settings: Settings, _ host: Compositor?, _ folder: PrivateFolder
  ) throws(LabError) -> Recipe {
    try folder.write(
      """
      xwayland disable
      default_border none
      default_floating_border none
      output * resolution \(settings.width)x\(settings.height) scale \(settings.scale)
      """, to: "sway.config")
    var environment = wlrootsEnvironment(host)
    environment["SWAYSOCK"] = "\(folder.path)/sway.sock"
    return Recipe(
      command: ["sway", "--config", "\(folder.path)/sway.config"], environment: environment, socket: "wayland-1")
  }

  /// What a compositor on wlroots is told: no devices and no GPU, headless or in a window of its host.
  private static func wlrootsEnvironment(_ host: Compositor?) -> [String: String] {
    var environment = ["WLR_BACKENDS": "headless", "WLR_LIBINPUT_NO_DEVICES": "1", "WLR_RENDERER": "pixman"]
    if let host {
      environment["WLR_BACKENDS"] = "wayland"
      environment["WAYLAND_DISPLAY"] = host.socket
    }
    return environment
  }

  /// Lets sway do what a line of its configuration would.
  public func sway(_ words: String...) throws(LabError) {
    _ = try output(of: ["swaymsg", "--quiet", "--socket", "\(folder.path)/sway.sock", "--"] + words)
  }

  /// Leaves its seat nothing but the touchscreen that its host passes on: no pointer, and no keyboard but those that programs bring.
  public func leaveOnlyTouch() throws(LabError) {
    try sway("seat", "seat0", "fallback", "false")
    try sway("seat", "seat0", "attach", "0:0:wayland-touch")
  }

  /// The sizes of its outputs, as "960 x 540" in lines.
  func swayOutputs() throws(LabError) -> String {
    let command = ["swaymsg", "--pretty", "--socket", "\(folder.path)/sway.sock", "-t", "get_outputs"]
    return String(decoding: try output(of: command), as: UTF8.self).replacing("x", with: " x ")
  }

  /// A picture by wlroots' own protocol.
  func grimScreenshot(limit: Duration) throws(LabError) -> Picture {
    let path = "\(folder.path)/screenshot.png"
    _ = try output(of: ["grim", "-t", "png", "-l", "0", path], limit: limit)
    return try Picture(png: path)
  }

  /// Headless, or a window of its host, whose size it takes. It has no settings of the person's.
  static func phocRecipe(_ host: Compositor?, _ folder: PrivateFolder) throws(LabError) -> Recipe {
    try folder.write("[core]\nxwayland=false\n", to: "phoc.ini")
    var environment = wlrootsEnvironment(host)
    environment["GSETTINGS_BACKEND"] = "memory"
    return Recipe(
      command: ["phoc", "--config", "\(folder.path)/phoc.ini"], environment: environment, socket: "wayland-0")
  }
}
