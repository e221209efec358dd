import Controls
import Shell
import UICore

extension CockpitScene {
  /// The presenter of the scene's own keyboard. While something is driven the keyboard lies beside all that is vital for it, or is not
  /// shown.
  func makeKeyboard() -> KeyboardPresenter {
    let presenter = KeyboardPresenter(in: self)
    presenter.language = Language.writesGerman ? .german : .english
    presenter.rooms = { [unowned self] in
      guard mustStayInSight, let panel = inspector.panel else { return [bounds] }
      // The inspector stands beside what drives.
      return [panel.frame, bounds]
    }
    presenter.keptClear = { [unowned self] in mustStayInSight ? areasOfDrive : [] }
    presenter.onNoRoom = {
      Log.write(.app, .error, "no room for a keyboard beside what drives: make the window larger")
    }
    return presenter
  }

  /// The frames of what drives and of what the driver must read: the controls, gear, speed and lamps of the scene's file, the emergency
  /// stop, the strip of channels, and a notice of a loss.
  private var areasOfDrive: [Rect] {
    let others = [stop, channelStrip, lossDisplay?.banner] as [View?]
    return obstacles.filter(\.isVital).map(\.frame) + cluster.areasInSight
      + others.compactMap { view in view.flatMap { $0.isShown ? $0.windowFrame : nil } }
  }
}
