import DriveLink

nonisolated extension LossNotice {
  /// The cause in one short line. It fits beside an icon in 17 ems of the smallest window.
  func cause(in language: Language) -> String {
    if let stopOwner {
      return language.code == .chinese
        ? "他处已停止 \(stopOwner)" : stopOwner.isEmpty ? "Stopped elsewhere" : "Stopped by \(stopOwner)"
    }
    if reason == .linkLost, let fault { return fault.text(in: language) }
    return summary?.receiver ?? (language.code == .chinese ? causes.chinese : causes.english)
  }

  func remedy(in language: Language) -> String {
    let isChinese = language.code == .chinese
    if let summary { return summary.setting(in: language) }
    if isStopped || stopOwner != nil { return isChinese ? "长按停止按钮一秒以解除" : "Hold STOP to release it" }
    if reason == .terminated { return isChinese ? "重新启动后继续" : "Start it again to go on" }
    if reason == .closed { return isChinese ? "重新打开后继续" : "Open it again to go on" }
    if isUnlinked, let fault { return fault.remedy(in: language) }
    if isUnlinked { return isChinese ? "正在等待连接" : "Waiting for the link" }
    let (part, chinesePart) = drivesByWheel ? ("wheel", "方向盘") : ("lever", "换挡杆")
    switch (means, isStillHeld) {
    case (.touch, false): return isChinese ? "触摸\(chinesePart)以继续" : "Touch the \(part) to go on"
    case (.touch, true): return isChinese ? "先抬起，再触摸\(chinesePart)" : "Lift, then touch the \(part)"
    case (.keys, false): return isChinese ? "按方向键以继续" : "Press an arrow key to go on"
    case (.keys, true): return isChinese ? "先松开，再按方向键" : "Let go, then press again"
    case (.gamepad, false): return isChinese ? "按住手柄以继续" : "Hold the pad to go on"
    case (.gamepad, true): return isChinese ? "先松开，再按住手柄" : "Let go, then hold again"
    }
  }

  /// Cause and remedy as a screen reader speaks them.
  func spoken(in language: Language) -> String {
    language.code == .chinese
      ? "\(cause(in: language))。\(remedy(in: language))" : "\(cause(in: language)). \(remedy(in: language))"
  }

  private var causes: (english: String, chinese: String) {
    switch reason {
    case .none, .start, .released: ("Not driving", "未在驾驶")
    case .lift:
      switch means {
      case .touch: ("Finger lifted", "手指已抬起")
      case .keys: ("Key let go", "按键已松开")
      case .gamepad: ("Pad let go", "手柄已松开")
      }
    case .touchCancelled: ("Touch cancelled", "触摸被取消")
    case .deviceLost: ("Input device lost", "输入设备断开")
    case .keyboardLeft: ("Keyboard left", "键盘焦点移走")
    case .hidden: ("Window was hidden", "窗口曾被隐藏")
    case .compositorFrozen: ("Display froze", "显示曾经停顿")
    case .compositorLost: ("Display lost", "显示连接中断")
    case .terminated: ("Cockpit stopped", "程序已终止")
    case .closed: ("Window closed", "窗口已关闭")
    case .loopHung: ("Cockpit stalled", "程序曾无响应")
    case .sensorLost: ("Tilt sensor lost", "倾斜传感器断开")
    case .displayFault: ("Wrong gear shown", "挡位显示有误")
    case .linkLost: ("Link lost", "连接中断")
    case .linkSlow: ("Link too slow", "连接过慢")
    case .taken: ("Driven by another", "另一驾驶台在驾驶")
    case .sceneChanged: ("Controls changed", "控件已更改")
    case .screenTurned: ("Screen turned", "屏幕方向已变")
    case .suspended: ("Was suspended", "曾被挂起")
    case .inputSilent: ("No sign of a hand", "未感知到操作")
    case .videoStale: ("Picture too old", "画面过旧")
    case .emergencyStop: ("STOP pressed", "已按下停止")
    }
  }

  /// The reasons that the banner may show, in the order of docs/drive.md.
  static let reasons = DriveReason.losses

  /// The lines of --info: each reason of a fail-safe message with its words in every language.
  static var table: String {
    var text = "When input is lost the screen says, by the reason in the line:\n"
    for reason in reasons {
      let notice = LossNotice(reason: reason)
      let name = reason.rawValue
      let words = [Language.english, .chinese].map { "\(notice.cause(in: $0)): \(notice.remedy(in: $0))" }
      let padding = String(repeating: " ", count: max(1, 20 - name.count))
      text += "  \(name)\(padding)\(words.joined(separator: " / "))\n"
    }
    return text
  }
}
