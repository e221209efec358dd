import CEvdev
import Glibc
import Linux

/// The directory in which the kernel's input devices come and go. Watch `descriptor`, and call `take()` when it is readable.
public final class GamepadFolder {
  /// The directory of the system's devices.
  public static let system = "/dev/input"

  /// The directory.
  public let path: String
  /// The descriptor to watch: it is readable when a device came, went, or may now be opened.
  public var descriptor: Int32 { events.number }
  private let events: Descriptor

  /// Watches the directory at `path`.
  ///
  /// - Throws: `GamepadError.noFolder` if the system refuses that.
  public init(path: String = GamepadFolder.system) throws(GamepadError) {
    self.path = path
    guard let events = Descriptor(inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))) else {
      throw .noFolder(path: path, errno: errno)
    }
    self.events = events
    // A device may be opened once udev has set its mode, which is an attribute.
    let mask = UInt32(IN_CREATE | IN_MOVED_TO | IN_ATTRIB | IN_DELETE | IN_MOVED_FROM | IN_ONLYDIR)
    guard unsafe inotify_add_watch(self.events.number, path, mask) >= 0 else {
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
    unsafe withUnsafeTemporaryAllocation(byteCount: 4096, alignment: MemoryLayout<inotify_event>.alignment) { buffer in
      while true {
        let count = unsafe Glibc.read(events.number, buffer.baseAddress, buffer.count)
        guard count > 0 else { return }
        var offset = 0
        while offset + MemoryLayout<inotify_event>.size <= count {
          let event = unsafe buffer.load(fromByteOffset: offset, as: inotify_event.self)
          let start = offset + MemoryLayout<inotify_event>.size
          let text = unsafe buffer[start..<min(start + Int(event.len), count)].prefix { $0 != 0 }
          let isThere = event.mask & UInt32(IN_CREATE | IN_MOVED_TO | IN_ATTRIB) != 0
          names = names ?? []
          if isThere { unsafe names?.insert("\(path)/\(String(decoding: text, as: UTF8.self))") }
          offset = start + Int(event.len)
        }
      }
    }
    return names
  }
}
