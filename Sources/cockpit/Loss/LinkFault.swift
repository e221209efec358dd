import DriveLink
import Glibc
import Linux

/// Why there can be no link although the receiver may be there: this machine refuses what the way to it needs. A kiosk shows no standard
/// error, so the screen names it. A consumer that is not there yet is no fault: that is usual.
nonisolated enum LinkFault: String, Hashable, Sendable, CaseIterable {
  /// The program `cockpit-bridge` is not in PATH.
  case noBridge = "no-bridge"
  /// The system does not start it.
  case bridgeFails = "bridge-fails"
  /// It has ended with the code of wrong options, or cannot run at all: the next one would do the same.
  case bridgeRefuses = "bridge-refuses"
  /// The reader of standard output is gone, and there can be no other.
  case noReader = "no-reader"
  /// No descriptor, memory or thread is left.
  case noRoom = "no-room"

  /// The fault of a link to `place` that is not open, with the errno of the newest attempt; nil for a consumer that may come.
  init?(_ status: DriveSender.Status, _ errno: Int32, to place: DriveEndpoint) {
    switch (status, place, errno) {
    case (.open, _, _), (.stalled, _, _): return nil
    case (.ended, .bridge, _): self = .bridgeRefuses
    case (.ended, _, _): self = .noReader
    case (_, _, EMFILE), (_, _, ENFILE), (_, _, ENOMEM), (_, .udp, EAGAIN): self = .noRoom
    case (_, .bridge, ENOENT): self = .noBridge
    case (_, .bridge, EAGAIN), (_, .bridge, EACCES), (_, .bridge, ENOEXEC): self = .bridgeFails
    default: return nil
    }
  }

  /// The short line on the card.
  func text(in language: Language) -> String {
    let isChinese = language.code == .chinese
    return switch self {
    case .noBridge: isChinese ? "缺少 cockpit-bridge" : "No cockpit-bridge"
    case .bridgeFails: isChinese ? "桥接程序未能启动" : "Bridge can't start"
    case .bridgeRefuses: isChinese ? "桥接程序不可用" : "Bridge unusable"
    case .noReader: isChinese ? "读取程序已离开" : "Reader is gone"
    case .noRoom: isChinese ? "系统资源不足" : "System is full"
    }
  }

  /// The action that may end it, in one short line.
  func remedy(in language: Language) -> String {
    let isChinese = language.code == .chinese
    return switch self {
    case .noBridge: isChinese ? "请安装它" : "Install it to go on"
    case .bridgeFails, .noRoom: isChinese ? "正在重试" : "Trying again"
    case .bridgeRefuses, .noReader: isChinese ? "重新启动后继续" : "Start again to go on"
    }
  }

  /// The message on standard error.
  func message(_ errno: Int32) -> String {
    let reason = systemMessage(errno)
    return switch self {
    case .noBridge: "no link: cockpit-bridge is not installed, or not in PATH; trying again"
    case .bridgeFails: "no link: cockpit-bridge cannot be started (\(reason)); trying again"
    case .bridgeRefuses: "no link: cockpit-bridge cannot be used with this receiver, or cannot run; not tried again"
    case .noReader: "no link: the reader of the lines is gone, and none can come"
    case .noRoom: "no link: the system has no descriptor, memory or thread left (\(reason)); trying again"
    }
  }
}
