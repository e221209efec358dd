import Glibc
import UICore

/// The network's reports about the receiver of datagrams: that its host refuses them, or that it cannot be reached.
struct Refusals: Sendable {
  /// The time of refused datagrams after which their receiver counts as gone: a program that restarts refuses for a moment.
  static let limit = Duration.milliseconds(500)
  /// The maximum time between two refusals that belong together; a host on the network reports one per second.
  private static let pause = Duration.milliseconds(1500)
  /// The same for a host that cannot be reached: the kernel looks for it for three seconds before it says so again.
  private static let longPause = Duration.seconds(4)

  /// The first and the newest refusal of a spell, and whether one of them said that there is no way to the host.
  private var spell: (first: MonotonicTime, last: MonotonicTime, isUnreachable: Bool)?

  /// True while the receiver counts as gone. A host without a way to it is gone at once: the kernel has already looked for it.
  var isGone: Bool { spell.map { $0.isUnreachable || $0.last - $0.first >= Refusals.limit } ?? false }

  /// Records the failure `errno` of a datagram, sent now or before. Returns true if the receiver is gone by it, and was not yet.
  mutating func note(_ errno: Int32, at time: MonotonicTime) -> Bool {
    let wasGone = isGone
    forgetOld(at: time)
    let isUnreachable = [EHOSTUNREACH, ENETUNREACH, EHOSTDOWN, ENETDOWN].contains(errno)
    spell = (spell?.first ?? time, time, isUnreachable || spell?.isUnreachable == true)
    return isGone && !wasGone
  }

  /// Forgets a spell that is over: nothing was refused for longer than refusals are apart.
  mutating func forgetOld(at time: MonotonicTime) {
    guard let spell else { return }
    if time - spell.last >= (spell.isUnreachable ? Refusals.longPause : Refusals.pause) { self.spell = nil }
  }

  /// The receiver has answered, or has changed.
  mutating func reset() { spell = nil }
}
