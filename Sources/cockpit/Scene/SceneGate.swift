import ControlTools
import Controls

/// Decides when the file of a scene is shown. Reading and building a heavy scene takes longer than the loop may stop while
/// something is driven, so it waits until nothing is; of several that wait the last one counts.
final class SceneGate {
  /// The most views of a scene that is shown while something is driven. So many sliders, drawn, take 30 ms of a development
  /// build, and less of a distribution build.
  static let mostViews = 150
  /// The most pixels of all its pictures, each counted once: at most another 30 ms of a development build.
  static let mostPixels = 500_000
  /// The most bytes of its file, which bound the time of reading it.
  static let mostBytes = 64 << 10

  private let isDriven: () -> Bool
  private let show: (String) -> Void
  /// The path of the file that waits; nil without one.
  private(set) var waiting: String?

  /// A gate that calls `show` with the path of a file, at once or when `rest` finds that nothing is driven any more.
  init(isDriven: @escaping () -> Bool, show: @escaping (String) -> Void) {
    self.isDriven = isDriven
    self.show = show
  }

  /// Has the file at `path` shown now or later. Returns why it waits; nil if it does not.
  func open(_ path: String) -> String? {
    guard isDriven(), let reason = Self.weight(ofFileAt: path) else {
      waiting = nil
      show(path)
      return nil
    }
    waiting = path
    return reason
  }

  /// Has the file that waits shown, if nothing is driven any more.
  func rest() {
    guard let path = waiting, !isDriven() else { return }
    waiting = nil
    show(path)
  }

  /// The fact that makes the scene of a file heavy; nil for a light one, and for one that cannot be shown anyway.
  static func weight(ofFileAt path: String) -> String? {
    let file: LayoutFile
    do throws(LayoutFileError) {
      guard let found = try LayoutFile(contentsOf: path, atMost: mostBytes) else {
        return "more than \(mostBytes >> 10) KiB"
      }
      file = found
    } catch {
      return nil
    }
    if file.viewCount > mostViews { return "\(file.viewCount) views" }
    let pixels = file.declaredPixelCount
    return pixels > mostPixels ? "pictures of \(pixels) pixels" : nil
  }
}
