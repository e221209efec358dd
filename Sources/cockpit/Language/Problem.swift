import Controls
import Linux
import Shell

/// A problem with its text in every language of the cockpit.
nonisolated protocol Problem: Error, CustomStringConvertible {
  /// One line in English, and in Simplified Chinese.
  var texts: (english: String, chinese: String) { get }
}

nonisolated extension Problem {
  /// One line in English.
  var description: String { texts.english }

  /// One line in `language`.
  func text(in language: Language) -> String {
    language.code == .chinese ? texts.chinese : texts.english
  }
}

nonisolated extension FileReader.Failure {
  /// The failure in Simplified Chinese, to follow a colon.
  var chinese: String {
    switch self {
    case .system(let errno): "错误 \(errno)"
    case .notAFile: "不是普通文件"
    case .tooLarge: "文件太大"
    case .tooSlow: "读取太慢"
    }
  }
}

nonisolated extension ShellError: Problem {
  /// System messages come in the system's own language.
  var texts: (english: String, chinese: String) { (description, chinese) }

  private var chinese: String {
    switch self {
    case .noCompositor(let display, let errno):
      "\(display) 上没有 Wayland 合成器应答（错误 \(errno)）；请启动合成器，或设置 WAYLAND_DISPLAY 和 XDG_RUNTIME_DIR"
    case .missingGlobal(let interface, let needed): "合成器不提供 \(interface)（需要版本 \(needed) 或更新）"
    case .oldGlobal(let interface, let offered, let needed):
      "合成器的 \(interface) 是版本 \(offered)；需要版本 \(needed) 或更新"
    case .system(let operation, let errno): "\(operation) 失败：错误 \(errno)"
    case .connectionLost(let errno): "与合成器的连接断开（错误 \(errno)）"
    case .protocolError(let interface, let id, let code): "合成器结束了连接：\(interface)@\(id) 上的错误 \(code)"
    }
  }
}
