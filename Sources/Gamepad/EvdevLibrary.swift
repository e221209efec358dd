import CEvdev
import Glibc

/// The functions of libevdev, with the types of its header.
typealias EvdevLibrary = evdev_functions

extension EvdevLibrary {
  /// Loads the library, which a cockpit without gamepads does not need.
  ///
  /// - Throws: `GamepadError.noLibrary` if it is missing or too old.
  static func load() throws(GamepadError) -> EvdevLibrary {
    guard let library = unsafe dlopen("libevdev.so.2", RTLD_LAZY | RTLD_LOCAL | RTLD_NODELETE) else { throw .noLibrary }
    var functions = EvdevLibrary()
    guard unsafe evdev_find_functions(library, &functions) != 0 else { throw .noLibrary }
    return functions
  }
}
