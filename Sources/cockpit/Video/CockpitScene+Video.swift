import CockpitControls
import Controls
import UICore

extension CockpitScene {
  /// True if the scene's file has a `Video`: it is shown where the file says.
  var placesVideo: Bool { video.superview != nil && video.superview !== self }

  /// True while a picture, or its place, is shown.
  var showsVideo: Bool { videoMode != .off && video.root === self && video.isShown }

  /// The ways to show a picture, in the order in which the key chooses them. A file that places the picture knows no inset.
  private var videoModes: [VideoMode] { placesVideo ? [.full, .off] : [.full, .inset, .off] }

  /// Shows the picture in the next way. While something is driven the picture does not go: nobody should look for it then.
  func changeVideoMode() {
    let isDriven = driveOutput.map { $0.isCommanding || $0.isHeld } ?? false
    let modes = videoModes.filter { !isDriven || $0 != .off }
    let index = modes.firstIndex(of: videoMode).map { $0 + 1 } ?? 0
    videoMode = modes[index % modes.count]
  }

  /// Adds the button that does what the key does.
  func addVideoButton() {
    guard videoButton == nil else { return }
    let button = Button(Language.current.video)
    button.name = "videoMode"
    button.addAction(for: .primaryActionTriggered) { [unowned self] _ in changeVideoMode() }
    videoButton = button
    insertSubview(button, at: (subviews.firstIndex { $0 === content } ?? 0) + 1)
    videoPlace = observeLayout { [unowned self] in
      placeVideo()
      placeVideoButton()
    }
  }

  /// The button stands in the window's upper corner at the wheel's side, if there is room for a finger.
  private func placeVideoButton() {
    guard let button = videoButton else { return }
    let (room, side) = (content.frame, Size(width: 84, height: 40))
    let place = Rect(x: room.maxX - side.width - 8, y: room.minY + 6, width: side.width, height: side.height)
    let others =
      ([gearbox, wheel] as [View]).filter { $0.root === self && $0.isShown }.map(\.windowFrame) + cluster.areasInSight
    button.isHidden = others.contains { $0.intersects(place) }
    button.frame = place
  }

  /// Arranges picture, plates and background by `videoMode`.
  func arrangeVideo() {
    let isBehind = !placesVideo && videoMode == .full
    if placesVideo {
      video.isHidden = videoMode == .off
    } else if videoMode == .off {
      video.removeFromSuperview()
    } else {
      insertSubview(video, at: isBehind ? 0 : (subviews.firstIndex { $0 === content } ?? 0) + 1)
    }
    if isBehind {
      insertSubview(plates, at: 1)
    } else {
      plates.removeFromSuperview()
    }
    showBackground(!isStrip && !isBehind)
    (content.subviews.first as? CockpitPanel)?.leavesView = isBehind
    setNeedsLayout()
  }

  private func showBackground(_ isShown: Bool) {
    func show(_ view: View) {
      if view is Backdrop { view.isHidden = !isShown }
      view.subviews.forEach(show)
    }
    show(content)
  }

  /// Positions the picture, what stands on it, and the button, by the frames that the layout gave the controls.
  private func placeVideo() {
    guard videoMode != .off, !placesVideo, video.superview === self else { return }
    let room = content.frame
    let layout = CockpitLayout(size: room.size, panel: content.subviews.first as? CockpitPanel ?? .standard)
    if videoMode == .full {
      video.frame = room
      plates.frame = room
      placePlates()
      placeTexts(in: room, leftOf: layout.notice.minX)
    } else {
      var frame = layout.notice.offsetBy(dx: room.minX, dy: room.minY)
      if let button = videoButton, !button.isHidden { frame.size.width = max(button.frame.minX - 8 - frame.minX, 1) }
      // In the picture's own shape, at the edge of the window.
      if let size = video.pictureSize, size.height > 0 {
        let width = min((frame.height * Double(size.width) / Double(size.height)).rounded(), frame.width)
        frame = Rect(x: frame.maxX - width, y: frame.minY, width: width, height: frame.height)
      }
      video.frame = Rect(
        x: frame.minX.rounded(), y: frame.minY.rounded(), width: frame.width.rounded(), height: frame.height.rounded())
      let height = min((video.bounds.height * 0.16).rounded(), 20)
      video.freeArea = .zero
      video.lineArea = Rect(x: 0, y: video.bounds.height - height - 2, width: video.bounds.width, height: height)
    }
  }

  private func placePlates() {
    func place(_ view: View) -> Rect {
      view.root === self && view.isShown ? plates.convert(view.windowFrame, from: nil) : .zero
    }
    plates.gate = place(gearbox)
    plates.wheel = place(wheel)
    plates.dial = place(cluster.speedometer)
  }

  /// The texts stand in the part of the window above dial and wheel, beside the gate.
  private func placeTexts(in room: Rect, leftOf notice: Double) {
    let shown = ([gearbox, wheel] as [View]).filter { $0.root === self && $0.isShown }.map {
      video.convert($0.windowFrame, from: nil)
    }
    let instruments = cluster.subviews.filter { $0.root === self && $0.isShown }.map {
      video.convert($0.windowFrame, from: nil)
    }
    let others = instruments + shown.filter { $0.minX > room.width / 3 }
    let bottom = others.map(\.minY).min() ?? room.height
    let left = shown.filter { $0.minX <= room.width / 3 && $0.minY < bottom }.map(\.maxX).max() ?? 0
    let line = min(22, max(bottom - 8, 0))
    let area = Rect(x: left + 8, y: 4, width: max(room.width - left - 16, 0), height: max(bottom - 12, 0))
    video.lineArea =
      line >= 12
      // Beside the place of notices.
      ? Rect(x: area.minX, y: 4, width: max(min(notice - 8, area.maxX) - area.minX, 60), height: line)
      : Rect(x: area.minX, y: room.height - 14, width: area.width, height: 13)
    video.freeArea = Rect(x: area.minX, y: 4 + line, width: area.width, height: max(area.height - line, 0))
  }
}
