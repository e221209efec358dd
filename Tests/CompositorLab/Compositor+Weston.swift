import Glibc

extension Compositor {
  /// Headless without a seat, or fullscreen on its host.
  static func westonRecipe(
    _ settings: Settings, _ host: Compositor?, _ folder: PrivateFolder
  ) throws(LabError) -> Recipe {
    #if arch(arm64)
      let architecture = "aarch64"
    #else
      let architecture = "x86_64"
    #endif
    // The controller is weston's example for the display of a car.
    let car = """
      modules=hmi-controller.so
      [ivi-shell]
      ivi-shell-user-interface=/usr/lib/\(architecture)-linux-gnu/weston-ivi-shell-user-interface
      transition-duration=0
      base-layer-id=1000
      base-layer-id-offset=10000
      workspace-background-layer-id=2000
      workspace-layer-id=3000
      application-layer-id=4000
      background-id=1001
      panel-id=1002
      surface-id-offset=10
      tiling-id=1003
      sidebyside-id=1004
      fullscreen-id=1005
      random-id=1006
      home-id=1007
      workspace-background-id=2001
      """
    try folder.write(
      """
      [core]
      idle-time=\(settings.idleSeconds)
      require-input=false
      \(settings.westonShell == .ivi ? car : "")
      [shell]
      locking=false
      panel-position=none
      background-color=0xff000000
      startup-animation=none
      close-animation=none
      """, to: "weston.ini")
    let scale = Int(settings.scale)
    let place =
      if host != nil {
        ["--backend=wayland-backend.so", "--fullscreen"]
      } else {
        [
          "--backend=headless-backend.so", "--width=\(settings.width / scale)", "--height=\(settings.height / scale)",
        ]
      }
    return Recipe(
      command: [
        "weston", "--use-pixman", "--shell=\(settings.westonShell)-shell.so", "--debug",
        "--config=\(folder.path)/weston.ini",
        "--socket=wayland-lab", "--scale=\(scale)",
      ] + place, environment: host.map { ["WAYLAND_DISPLAY": $0.socket] } ?? [:], socket: "wayland-lab")
  }

  /// weston-screenshooter names its file after the date, in its working directory. So it runs in an empty one.
  func westonScreenshot(limit: Duration) throws(LabError) -> ScreenPicture {
    let name = "screenshot"
    let script = "rm -rf \(name) && mkdir \(name) && cd \(name) && weston-screenshooter && mv *.png ../\(name).png"
    _ = try output(of: ["/bin/sh", "-c", script], limit: limit)
    return try ScreenPicture(png: "\(folder.path)/\(name).png")
  }
}
