import Glibc

/// The environment variables that the libraries read, described in docs/environment.md.
package enum Environment: String {
  case socket = "WAYLAND_SOCKET"
  case display = "WAYLAND_DISPLAY"
  case runtimeFolder = "XDG_RUNTIME_DIR"
  case cursorTheme = "XCURSOR_THEME"
  case cursorSize = "XCURSOR_SIZE"
  case localeOfAll = "LC_ALL"
  case localeOfCharacters = "LC_CTYPE"
  case locale = "LANG"
  case activationToken = "XDG_ACTIVATION_TOKEN"
  case sessionBus = "DBUS_SESSION_BUS_ADDRESS"
  case accessibilityBus = "AT_SPI_BUS_ADDRESS"
  case overlay = "COCKPIT_OVERLAY"

  package var value: String? { Environment.value(of: rawValue) }

  /// The value of the variable `name`; nil if it is unset or empty.
  package nonisolated static func value(of name: String) -> String? {
    unsafe getenv(name).flatMap { unsafe $0.pointee == 0 ? nil : String(cString: $0) }
  }

  /// Returns the value of WAYLAND_SOCKET, once: the connection that was handed over belongs to one client. Nil if it is unset or
  /// empty; libwayland would take an empty one for a bad number.
  package static func takeSocket() -> String? {
    defer { unsafe unsetenv(socket.rawValue) }
    return socket.value
  }

  /// Returns the token that the program was started with, once. Neither a second window nor a child process may use it again.
  package static func takeActivationToken() -> String? {
    guard let token = activationToken.value else { return nil }
    unsafe unsetenv(activationToken.rawValue)
    return token
  }
}
