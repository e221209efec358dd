import CSystemd
import Glibc

/// The functions of sd-bus, with the types of its header.
typealias BusLibrary = sd_bus_functions

extension BusLibrary {
  /// Loads the library; nil if it is missing or too old.
  static func load() -> BusLibrary? {
    // Never unloaded: it keeps thread-specific data.
    guard let library = unsafe dlopen("libsystemd.so.0", RTLD_LAZY | RTLD_LOCAL | RTLD_NODELETE) else { return nil }
    var functions = BusLibrary()
    return unsafe sd_bus_find_functions(library, &functions) != 0 ? functions : nil
  }
}
