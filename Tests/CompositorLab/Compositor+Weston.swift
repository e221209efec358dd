import Glibc

extension Compositor {
  /// Headless, or fullscreen on its host. The desktop shell, because weston's kiosk shell shows nothing without a seat, and the headless backend has none.
  static func westonRecipe(
    _ settings: Settings, _ host: Compositor?, _ folder: PrivateFolder
  ) throws(LabError) -> Recipe {
    try folder.write(
      """
      [core]
      idle-time=\(settings.idleSeconds)
      require-input=false
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
        "weston", "--use-pixman", "--shell=desktop-shell.so", "--debug", "--config=\(folder.path)/weston.ini",
        "--socket=wayland-lab", "--scale=\(scale)",
      ] + place, environment: host.map { ["WAYLAND_DISPLAY": $0.socket] } ?? [:], socket: "wayland-lab")
  }

  /// weston-screenshooter names its file after the date, in the folder where it runs: so that is one of its own.
  func westonScreenshot(limit: Duration) throws(LabError) -> Picture {
    let name = "screenshot"
    let script = "rm -rf \(name) && mkdir \(name) && cd \(name) && weston-screenshooter && mv *.png ../\(name).png"
    _ = try output(of: ["/bin/sh", "-c", script], limit: limit)
    return try Picture(png: "\(folder.path)/\(name).png")
  }
}
