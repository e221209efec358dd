import Glibc

/// A user and a group.
struct Identity {
  /// The user's number.
  let user: uid_t
  /// The group's number.
  let group: gid_t

  /// Sway and KWin refuse to run as root: root starts compositors as "nobody", everyone else as themselves.
  static var compositor: Identity {
    getuid() == 0 ? Identity(user: 65534, group: 65534) : Identity(user: getuid(), group: getgid())
  }

  /// The command, run as this identity.
  func running(_ command: [String]) -> [String] {
    guard user != getuid() else { return command }
    return ["setpriv", "--reuid", "\(user)", "--regid", "\(group)", "--clear-groups", "--"] + command
  }
}
