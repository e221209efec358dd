import DriveLink

nonisolated extension LossNotice {
  /// One short line: what happened. It fits beside a sign in 17 ems of the smallest window.
  func cause(in language: Language) -> String {
    switch language.code {
    case .english: english
    case .chinese: chinese
    }
  }

  /// One short line: what brings control back.
  func remedy(in language: Language) -> String {
    let isChinese = language.code == .chinese
    if reason == .terminated { return isChinese ? "重新启动后继续" : "Start it again to go on" }
    if reason == .closed { return isChinese ? "重新打开后继续" : "Open it again to go on" }
    switch (isByKeys, isStillHeld) {
    case (false, false): return isChinese ? "触摸换挡杆以继续" : "Touch the lever to go on"
    case (false, true): return isChinese ? "先抬起，再触摸换挡杆" : "Lift, then touch the lever"
    case (true, false): return isChinese ? "按方向键以继续" : "Press an arrow key to go on"
    case (true, true): return isChinese ? "先松开，再按方向键" : "Let go, then press again"
    }
  }

  private var english: String {
    switch reason {
    case .none, .start: "Not driving"
    case .lift: isByKeys ? "Key let go" : "Finger lifted"
    case .touchCancelled: "Touch cancelled"
    case .deviceLost: "Input device lost"
    case .keyboardLeft: "Keyboard left"
    case .hidden: "Window was hidden"
    case .compositorFrozen: "Display froze"
    case .compositorLost: "Display lost"
    case .terminated: "Cockpit stopped"
    case .closed: "Window closed"
    case .loopHung: "Cockpit stalled"
    case .sensorLost: "Tilt sensor lost"
    case .displayFault: "Wrong gear shown"
    }
  }

  private var chinese: String {
    switch reason {
    case .none, .start: "未在驾驶"
    case .lift: isByKeys ? "按键已松开" : "手指已抬起"
    case .touchCancelled: "触摸被取消"
    case .deviceLost: "输入设备断开"
    case .keyboardLeft: "键盘焦点移走"
    case .hidden: "窗口曾被隐藏"
    case .compositorFrozen: "显示曾经停顿"
    case .compositorLost: "显示连接中断"
    case .terminated: "程序已终止"
    case .closed: "窗口已关闭"
    case .loopHung: "程序曾无响应"
    case .sensorLost: "倾斜传感器断开"
    case .displayFault: "挡位显示有误"
    }
  }

  /// The reasons that a driver may be told, in the order of docs/drive.md.
  static let reasons = DriveReason.allCases.filter { $0 != .none && $0 != .start }

  /// What --info prints: each reason of a safe line with its words in every language.
  static var table: String {
    var text = "When input is lost the screen says, by the reason in the line:\n"
    for reason in reasons {
      let notice = LossNotice(reason: reason)
      let name = "\(reason.name)"
      let words = [Language.english, .chinese].map { "\(notice.cause(in: $0)): \(notice.remedy(in: $0))" }
      let padding = String(repeating: " ", count: max(1, 20 - name.count))
      text += "  \(name)\(padding)\(words.joined(separator: " / "))\n"
    }
    return text
  }
}
