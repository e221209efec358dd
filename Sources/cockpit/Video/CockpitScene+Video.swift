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
      placeVideoButton()
      placeVideo()
    }
  }

  /// The place that the layout keeps for notices, in the scene's coordinates.
  private var noticePlace: Rect {
    let room = content.frame
    let layout = CockpitLayout(size: room.size, panel: content.subviews.first as? CockpitPanel ?? .standard)
    return layout.notice.offsetBy(dx: room.minX, dy: room.minY)
  }

  /// The frames of what is operated and read, in the scene's coordinates.
  private var occupied: [Rect] {
    ([gearbox, wheel] as [View]).filter { $0.root === self && $0.isShown }.map(\.windowFrame) + cluster.areasInSight
  }

  /// The button stands in the window's upper corner at the wheel's side or, where notices are there, beside them: also after a loss the picture can
  /// be switched off. It is hidden where there is no room for a finger.
  private func placeVideoButton() {
    guard let button = videoButton else { return }
    let (room, notice) = (content.frame, noticePlace)
    let side = Size(width: 84, height: 40)
    var place = Rect(x: room.maxX - side.width - 8, y: room.minY + 6, width: side.width, height: side.height)
    if place.intersects(notice) { place.origin.x = notice.minX - 8 - side.width }
    button.isHidden = place.minX < room.minX || occupied.contains { $0.intersects(place) }
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

  /// Positions the picture, and what stands on it, by the frames that the layout gave the controls.
  private func placeVideo() {
    guard videoMode != .off, !placesVideo, video.superview === self else { return }
    let room = content.frame
    if videoMode == .full {
      video.frame = room
      plates.frame = room
      placePlates()
      placeTexts(in: room)
    } else {
      video.frame = insetFrame
      let height = min((video.bounds.height * 0.16).rounded(), 20)
      video.freeArea = .zero
      video.lineArea = Rect(x: 0, y: video.bounds.height - height - 2, width: video.bounds.width, height: height)
    }
  }

  /// The inset picture lies beside the place of notices, or in it where that is much larger; then it leaves it while there is a notice.
  private var insetFrame: Rect {
    let (room, notice, occupied) = (content.frame, noticePlace, occupied)
    func bottom(of area: Rect) -> Double {
      occupied.filter { $0.minX < area.maxX && $0.maxX > area.minX && $0.minY > area.minY }.map(\.minY).min()
        ?? room.maxY
    }
    func shaped(_ area: Rect) -> Rect {
      let size = video.pictureSize ?? PixelSize(width: 16, height: 9)
      let shape = size.height > 0 && size.width > 0 ? Double(size.width) / Double(size.height) : 1
      let width = min(area.height * shape, area.width)
      // At the end of its place that is next to the wheel.
      return Rect(
        x: (area.maxX - width).rounded(), y: area.minY.rounded(), width: max(width.rounded(), 1),
        height: max((width / shape).rounded(), 1))
    }
    var beside = notice
    let isBesideButton = videoButton.map { !$0.isHidden && $0.frame.maxX <= notice.minX } ?? false
    let right = (isBesideButton ? videoButton?.frame.minX ?? notice.minX : notice.minX) - 8
    // What begins at the same height or above, such as the gate; lamps and dial stand below.
    let left = occupied.filter { $0.minY <= notice.minY + 8 && $0.maxX < right }.map(\.maxX).max() ?? room.minX
    (beside.origin.x, beside.size.width) = (left + 8, max(right - left - 8, 0))
    beside.size.height = min(beside.height, bottom(of: beside) - 6 - beside.minY)
    let corner = Rect(x: room.minX + 8, y: room.minY + 6, width: notice.width, height: min(notice.height, 76))
    func fits(_ place: Rect) -> Bool {
      place.width >= 56 && place.height >= 32 && !place.intersects(notice)
        && !(occupied + (videoButton.map { $0.isHidden ? [] : [$0.frame] } ?? [])).contains { $0.intersects(place) }
    }
    let (own, second) = (shaped(notice), shaped(beside))
    if fits(second), second.height >= own.height * 0.7 { return second }
    guard hasNotice else { return own }
    var third = shaped(corner)
    third.origin.x = corner.minX
    // The notice stands in front of a picture that has no other place.
    return fits(second) ? second : fits(third) ? third : own
  }

  /// True while a notice is shown: why nothing is driven, and what to do.
  private var hasNotice: Bool { lossDisplay?.banner.notice != nil }

  private func placePlates() {
    func place(_ view: View) -> Rect {
      view.root === self && view.isShown ? plates.convert(view.windowFrame, from: nil) : .zero
    }
    plates.gate = place(gearbox)
    plates.wheel = place(wheel)
    plates.dial = place(cluster.speedometer)
  }

  /// The texts stand in the part of the window above dial and wheel, beside the gate and the button; the age also in the place of notices while
  /// there is none.
  private func placeTexts(in room: Rect) {
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
    let notice = noticePlace.offsetBy(dx: -room.minX, dy: -room.minY)
    let button = videoButton.flatMap { $0.isHidden ? nil : video.convert($0.windowFrame, from: nil) }
    // Notices that stand lower than the texts take nothing away from them.
    let isBeside = notice.minY < bottom
    let end = min(button?.minX ?? room.width, isBeside ? notice.minX : room.width) - 8
    let area = Rect(x: left + 8, y: 4, width: max(end - left - 8, 0), height: max(bottom - 12, 0))
    video.lineArea =
      line >= 12
      ? Rect(x: area.minX, y: 4, width: max(area.width, 60), height: line)
      : Rect(x: area.minX, y: room.height - 14, width: max(room.width - left - 16, 0), height: 13)
    let free = Rect(x: area.minX, y: 4 + line, width: area.width, height: max(area.height - line, 0))
    let isNoticeLarger = Video.figureSize(in: notice) > Video.figureSize(in: free)
    video.freeArea = isBeside && !hasNotice && isNoticeLarger ? notice : free
  }
}
