import Glibc
import Linux

/// The directory in which the kernel's input devices come and go. Watch `descriptor`, and call `take()` when it is readable.
public final class GamepadFolder {
  /// The directory of the system's devices.
  public static let system = "/dev/input"
  /// What says that a device is there, or may now be opened: udev sets its mode, which is an attribute, after it was made.
  private static let arrivals = Int32(IN_CREATE | IN_MOVED_TO | IN_ATTRIB)

  /// The directory.
  public let path: String
  /// The descriptor to watch: it is readable when a device came, went, or may now be opened.
  public var descriptor: Int32 { events.descriptor }
  private let events: FileEvents

  /// Watches the directory at `path`.
  ///
  /// - Throws: `GamepadError.noFolder` if the system refuses that.
  public init(path: String = GamepadFolder.system) throws(GamepadError) {
    self.path = path
    guard let events = FileEvents() else { throw .noFolder(path: path, errno: errno) }
    self.events = events
    guard self.events.watch(path, for: Self.arrivals | Int32(IN_DELETE | IN_MOVED_FROM | IN_ONLYDIR)) != nil else {
      throw .noFolder(path: path, errno: errno)
    }
  }

  /// The paths of the devices that are there, in the order in which the kernel made them.
  public var devices: [String] {
    FileReader.names(in: path).compactMap { name -> (number: Int, path: String)? in
      guard name.hasPrefix("event"), let number = Int(name.dropFirst(5)) else { return nil }
      return (number, "\(path)/\(name)")
    }.sorted { $0.number < $1.number }.map(\.path)
  }

  /// Takes what has happened. Returns the paths of what came or may be opened now, nil if nothing happened at all.
  public func take() -> Set<String>? {
    var names: Set<String>?
    events.read { event in
      names = names ?? []
      if event.has(Self.arrivals) { names?.insert("\(path)/\(event.name)") }
    }
    return names
  }
}
