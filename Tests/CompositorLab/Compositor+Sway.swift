extension Compositor {
  /// Headless, or a window of its host. wlroots 0.15 notices only a touchscreen that appears after its start, as those of the
  /// tests do.
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

  /// The environment of a wlroots compositor: no devices and no GPU; headless, or in a window of its host.
  private static func wlrootsEnvironment(_ host: Compositor?) -> [String: String] {
    var environment = ["WLR_BACKENDS": "headless", "WLR_LIBINPUT_NO_DEVICES": "1", "WLR_RENDERER": "pixman"]
    if let host {
      environment["WLR_BACKENDS"] = "wayland"
      environment["WAYLAND_DISPLAY"] = host.socket
    }
    return environment
  }

  /// Makes sway execute a line of its configuration language.
  public func sway(_ words: String...) throws(LabError) {
    _ = try output(of: ["swaymsg", "--quiet", "--socket", "\(folder.path)/sway.sock", "--"] + words)
  }

  /// Leaves sway's seat only the touchscreen that its host passes on: no pointer, and no keyboard but those that programs create.
  public func leaveOnlyTouch() throws(LabError) {
    try sway("seat", "seat0", "fallback", "false")
    try sway("seat", "seat0", "attach", "0:0:wayland-touch")
  }

  /// The sizes of sway's outputs, in lines with "960 x 540".
  func swayOutputs() throws(LabError) -> String {
    let command = ["swaymsg", "--pretty", "--socket", "\(folder.path)/sway.sock", "-t", "get_outputs"]
    return String(decoding: try output(of: command), as: UTF8.self).replacing("x", with: " x ")
  }

  /// A screenshot by wlroots' own protocol.
  func grimScreenshot(limit: Duration) throws(LabError) -> ScreenPicture {
    let path = "\(folder.path)/screenshot.png"
    _ = try output(of: ["grim", "-t", "png", "-l", "0", path], limit: limit)
    return try ScreenPicture(png: path)
  }

  /// Headless, or a window of its host, whose size it takes. It ignores the user's settings.
  static func phocRecipe(_ host: Compositor?, _ folder: PrivateFolder) throws(LabError) -> Recipe {
    try folder.write("[core]\nxwayland=false\n", to: "phoc.ini")
    var environment = wlrootsEnvironment(host)
    environment["GSETTINGS_BACKEND"] = "memory"
    return Recipe(
      command: ["phoc", "--config", "\(folder.path)/phoc.ini"], environment: environment, socket: "wayland-0")
  }

  /// Headless, or a window of its host, whose size it takes. Its own program does nothing: it would end with that.
  /// Programs are to draw no title bar (`-d`), as docs/kiosk.md has it.
  static func cageRecipe(_ host: Compositor?) -> Recipe {
    Recipe(
      command: ["cage", "-d", "--", "sh", "-c", "mkfifo end && read -r _ <end"], environment: wlrootsEnvironment(host),
      socket: "wayland-0")
  }
}
