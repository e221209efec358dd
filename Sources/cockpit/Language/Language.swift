import CockpitControls
import Controls
import DriveLink
import Shell

/// A language with the cockpit's words in it.
/// Options, errors and the log stay English.
nonisolated struct Language: Hashable, Sendable {
  enum Code: String, Sendable {
    case english = "en"
    case chinese = "zh"
  }

  let code: Code
  let title: String
  /// The word of the lamp of a ready cockpit.
  let ready: String
  /// The words of the same lamp while a vehicle is driven, after a loss, and without a consumer.
  let driving: String
  let stopped: String
  let noLink: String
  /// STOP: its name, the word on it, and the announcements of its press and its release.
  let stop: String
  let stopSign: String
  let stopPressed: String
  let stopReleased: String
  let brake: String
  /// The lamp of steering by tilting, and the same while its sensor is lost.
  let tilt: String
  let tiltLost: String
  /// The accessible names of the parts.
  let gearbox: String
  let wheel: String
  let horn: String
  let speed: String
  let battery: String
  /// The warning of a battery that is low by the vehicle's file.
  let batteryLow: String
  /// The button that arms a vehicle: its word, the same once it has, the announcement and the action of its end; and the list of modes.
  let arm: String
  let armed: String
  let disarmed: String
  let disarm: String
  let mode: String
  /// Refuses a request by assistive technology while the dead-man's switch is active.
  let needsHand: String
  let noData: String
  /// Another cockpit drives the vehicle.
  let taken: String
  /// Lines of telemetry come, but none that can be read.
  let refused: String
  /// The time to the consumer and back, and the part of the lines without an answer.
  let roundTrip: String
  let loss: String
  /// What stands where a camera's picture would be, and names it.
  let video: String

  static let english = Language(
    code: .english, title: "Cockpit", ready: "READY", driving: "DRIVING", stopped: "STOPPED", noLink: "NO LINK",
    stop: "STOP", stopSign: "STOP", stopPressed: "STOP pressed",
    stopReleased: "STOP released", brake: "BRAKE", tilt: "TILT", tiltLost: "TILT LOST",
    gearbox: "Gearbox", wheel: "Steering wheel", horn: "Horn", speed: "Speed", battery: "Battery",
    batteryLow: "BATTERY LOW", arm: "ARM", armed: "ARMED", disarmed: "Disarmed", disarm: "Disarm", mode: "mode",
    needsHand: "Only a hand may do that: hold the lever", noData: "NO DATA", taken: "TAKEN", refused: "DATA REFUSED",
    roundTrip: "RTT", loss: "LOSS", video: "VIDEO")
  static let chinese = Language(
    code: .chinese, title: "驾驶舱", ready: "就绪", driving: "行驶", stopped: "已停止", noLink: "无连接", stop: "停止按钮",
    stopSign: "停止",
    stopPressed: "停止已按下", stopReleased: "停止已解除", brake: "制动", tilt: "倾斜", tiltLost: "倾斜失灵",
    gearbox: "换挡杆", wheel: "方向盘", horn: "喇叭", speed: "速度", battery: "电量", batteryLow: "电量不足", arm: "解锁",
    armed: "已解锁", disarmed: "已上锁", disarm: "上锁", mode: "模式", needsHand: "只能用手操作：请握住换挡杆",
    noData: "无数据", taken: "被占用", refused: "数据无效", roundTrip: "往返", loss: "丢失", video: "视频")

  /// Gives the controls their texts in this language.
  @MainActor func translateControls() {
    AccessibilityWords.current = code == .chinese ? .chinese : AccessibilityWords()
    VehicleWords.current = code == .chinese ? .chinese : VehicleWords()
  }

  /// Every text of the language that is drawn, for the letters that it needs.
  private var letters: String {
    let words = [
      title, ready, driving, stopped, noLink, stop, stopSign, brake, tilt, tiltLost, speed, battery, batteryLow, arm,
      armed, mode, noData, taken,
      refused,
      roundTrip, loss, video,
    ]
    return words.joined() + VideoFreshness.State.words(in: self) + MachineNotice.words(in: self)
      + DriveReason.allCases.map { LossNotice(reason: $0).spoken(in: self) }.joined()
  }

  /// This language, or English if `fonts` lack a letter of it: a lamp with English on it says more than one with boxes.
  /// Without any font English has outlines of its own.
  @MainActor func shown(by fonts: FontLibrary) -> Language {
    if code == .english { return self }
    let layout = TextLayout(letters, font: Font(size: 17), library: fonts)
    return layout.missingLetterCount == 0 && !layout.inkBounds.isEmpty ? self : .english
  }

  /// The language of the user who started the program; tests choose another.
  @MainActor static var current = preferred(locale) { didSet { current.translateControls() } }
  /// The text direction for that user.
  @MainActor static var direction = direction(locale)

  /// The locale of messages as POSIX finds it: the first of these that is set and not empty.
  private static var locale: String {
    ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap(Environment.value(of:)).first ?? ""
  }

  /// The language for a locale such as "zh_CN.UTF-8". Traditional Chinese is a different script, not this one.
  static func preferred(_ locale: String) -> Language {
    let parts = subtags(locale)
    guard parts.first == "zh", Set(parts).isDisjoint(with: ["tw", "hk", "mo", "hant"]) else { return english }
    return chinese
  }

  /// True for a user whose letters are those of a German keyboard.
  @MainActor static var writesGerman: Bool { subtags(locale).first == "de" }

  /// The reading direction for a locale such as "ar_EG.UTF-8".
  static func direction(_ locale: String) -> LayoutDirection {
    let written = ["ar", "arc", "ckb", "dv", "fa", "he", "iw", "ks", "ps", "sd", "ug", "ur", "yi"]
    return subtags(locale).first.map(written.contains) == true ? .rightToLeft : .leftToRight
  }

  /// "zh_Hant_TW.UTF-8@x" as "zh", "hant", "tw".
  private static func subtags(_ locale: String) -> [String] {
    let name = locale.prefix { $0 != "." && $0 != "@" }
    return name.lowercased().split { $0 == "_" || $0 == "-" }.map(String.init)
  }
}

nonisolated extension AccessibilityWords {
  /// Simplified Chinese.
  static var chinese: AccessibilityWords {
    var words = AccessibilityWords()
    (words.on, words.off) = ("开", "关")
    (words.lower, words.upper) = ("起点", "终点")
    (words.press, words.toggle, words.open) = ("按下", "切换", "展开或收起")
    (words.closeWindow, words.maximizeWindow, words.restoreWindow, words.minimizeWindow) = ("关闭", "最大化", "还原", "最小化")
    (words.cut, words.copy, words.paste, words.selectAll) = ("剪切", "复制", "粘贴", "全选")
    words.showPassword = "显示密码"
    (words.keyboard, words.hideKeyboard) = ("键盘", "收起键盘")
    (words.shiftKey, words.backspaceKey, words.returnKey, words.spaceKey) = ("上档", "退格", "回车", "空格")
    (words.letterKeys, words.symbolKeys, words.moreKeys) = ("字母", "数字和符号", "更多符号")
    (words.isDisabled, words.isHidden, words.isImpossible, words.isHeld) = ("不可用", "未显示", "无法执行", "正由手操作")
    (words.isBehind, words.back) = ("请先答复前面的对话框", "返回")
    return words
  }
}

nonisolated extension VehicleWords {
  /// Simplified Chinese.
  static var chinese: VehicleWords {
    var words = VehicleWords()
    (words.gear, words.neutral, words.reverse) = ("% 挡", "空挡", "倒挡")
    (words.left, words.right, words.straight) = ("左 % 度", "右 % 度", "正中")
    (words.shiftUp, words.shiftDown, words.brake, words.sound) = ("升挡", "降挡", "制动", "鸣响")
    (words.turnLeft, words.turnRight, words.center) = ("左转", "右转", "回正")
    (words.reverseNeedsNeutral, words.unknown) = ("倒挡只能从空挡挂入", "未知")
    return words
  }
}
