extension Compositor {
  /// Headless, with one virtual monitor and no Xwayland. `MutterHands` gives it input; their screen cast needs PipeWire.
  static func mutterRecipe(_ settings: Settings, _ folder: PrivateFolder) throws(LabError) -> Recipe {
    try folder.writeBusConfiguration()
    return Recipe(
      command: [
        "mutter", "--headless", "--wayland", "--no-x11", "--wayland-display", "wayland-lab",
        "--virtual-monitor", "\(settings.width)x\(settings.height)",
      ],
      environment: [
        "DBUS_SESSION_BUS_ADDRESS": "unix:path=\(folder.path)/bus", "GSETTINGS_BACKEND": "memory",
        "LIBGL_ALWAYS_SOFTWARE": "1",
      ], socket: "wayland-lab", companions: [busCompanion(folder), (["pipewire"], "pipewire-0")])
  }

  /// The bus that `PrivateFolder.writeBusConfiguration` configures.
  static func busCompanion(_ folder: PrivateFolder) -> (command: [String], socket: String) {
    (["dbus-daemon", "--config-file=\(folder.path)/bus.conf", "--nofork", "--nopidfile"], "bus")
  }

  /// Gives mutter a pointer, a keyboard and a touchscreen, which are removed when the hands are released.
  public func startMutterHands() throws(LabError) -> MutterHands {
    try MutterHands(on: SessionBus(address: "unix:path=\(folder.path)/bus"))
  }
}
