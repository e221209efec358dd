import Glibc

/// A user and a group.
struct Identity {
  /// The user's number.
  let user: uid_t
  /// The group's number.
  let group: gid_t

  /// The identity that compositors run as: `nobody` for root, because sway and KWin refuse to run as root; otherwise the current
  /// user.
  static var compositor: Identity {
    getuid() == 0 ? Identity(user: 65534, group: 65534) : Identity(user: getuid(), group: getgid())
  }

  /// The command that runs `command` as this identity.
  func running(_ command: [String]) -> [String] {
    guard user != getuid() else { return command }
    return ["setpriv", "--reuid", "\(user)", "--regid", "\(group)", "--clear-groups", "--"] + command
  }
}
