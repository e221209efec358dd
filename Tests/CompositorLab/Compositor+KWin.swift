import Glibc

extension Compositor {
  static func kwinRecipe(_ settings: Settings, _ folder: PrivateFolder) throws(LabError) -> Recipe {
    try folder.writeBusConfiguration()
    // Windows appear without animation, and centred.
    try folder.write("[KDE]\nAnimationDurationFactor=0\n", to: "kdeglobals")
    try folder.write("[Windows]\nPlacement=Centered\n[Desktops]\nNumber=2\nRows=1\n", to: "kwinrc")
    if settings.showsWindowsFullscreen {
      // The rule type 2 forces a value. A rule without conditions matches every window.
      try folder.write(
        "[General]\ncount=1\nrules=all\n[all]\nfullscreen=true\nfullscreenrule=2\n", to: "kwinrulesrc")
    }
    var method: [String] = []
    if let script = settings.inputMethod {
      try folder.write(script, to: "input-method")
      method = ["--inputmethod", "/bin/sh \(folder.path)/input-method"]
    }
    return Recipe(
      command: [
        try copyOfKWin(to: folder), "--virtual", "--no-lockscreen", "--no-global-shortcuts", "--socket", "wayland-lab",
        // KWin takes the size in points.
        "--width", "\(Int((Double(settings.width) / settings.scale).rounded()))",
        "--height", "\(Int((Double(settings.height) / settings.scale).rounded()))", "--scale", "\(settings.scale)",
        "--output-count", "\(settings.outputs)",
      ] + method,
      environment: [
        "DBUS_SESSION_BUS_ADDRESS": "unix:path=\(folder.path)/bus",
        "KWIN_COMPOSE": "O2",
        "LIBGL_ALWAYS_SOFTWARE": "1",
        "KWIN_WAYLAND_NO_PERMISSION_CHECKS": "1",
        "KWIN_SCREENSHOT_NO_PERMISSION_CHECKS": "1",
      ], socket: "wayland-lab",
      companions: [busCompanion(folder)])
  }

  /// Debian's kwin_wayland has a file capability, and exec fails where that cannot be granted. A copy has none.
  private static func copyOfKWin(to folder: PrivateFolder) throws(LabError) -> String {
    guard let original = find(program: "kwin_wayland") else { throw .missing(programs: ["kwin_wayland"]) }
    return try folder.copy(program: original)
  }

  /// Makes KWin run a script in JavaScript.
  public func kwin(script: String) throws(LabError) {
    scripts += 1
    try folder.write(script, to: "script\(scripts).js")
    func call(_ method: String, _ arguments: [String]) throws(LabError) {
      _ = try output(
        of: [
          "dbus-send", "--bus=unix:path=\(folder.path)/bus", "--print-reply", "--dest=org.kde.KWin", "/Scripting",
          "org.kde.kwin.Scripting.\(method)",
        ] + arguments)
    }
    try call("loadScript", ["string:\(folder.path)/script\(scripts).js", "string:script\(scripts)"])
    try call("start", [])
  }

  /// KWin sometimes does not answer a screenshot request, so it is repeated every two seconds; while it starts it refuses them.
  func kwinScreenshot(limit: Duration) throws(LabError) -> ScreenPicture {
    let deadline = Deadline(in: limit)
    let bus = try SessionBus(address: "unix:path=\(folder.path)/bus")
    while true {
      let attempt = Deadline(in: min(.seconds(2), deadline.left))
      if let result = try bus.kwinScreenshot(until: attempt) { return result }
      try checkThatItRuns()
      if deadline.isOver { throw .timedOut(waitingFor: "KWin's screenshot", log: log) }
      if attempt.isOver {
        // KWin adds a request to one for the same area that still waits for a frame, and asks for a frame only for the first: it would wait
        // with it. With its effect KWin drops both.
        try bus.reloadKWinEffect("screenshot")
      } else {
        poll(nil, 0, 10)
      }
    }
  }
}
