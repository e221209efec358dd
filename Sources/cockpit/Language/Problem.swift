import Controls
import Linux
import Shell

/// A problem with its text in every language of the cockpit.
nonisolated protocol Problem: Error {
  /// One line in English.
  var description: String { get }
  /// One line in Simplified Chinese.
  var chinese: String { get }
}

extension Problem {
  /// One line in `language`.
  nonisolated func text(in language: Language) -> String {
    switch language.code {
    case .english: description
    case .chinese: chinese
    }
  }
}

nonisolated extension OptionError: Problem {
  /// One line in Simplified Chinese.
  var chinese: String {
    switch self {
    case .unknownOption(let name, let nearest?): "没有选项“\(Self.shown(name))”；是否想用 \(nearest.text)？"
    case .unknownOption(let name, nil): "没有选项“\(Self.shown(name))”；cockpit --help 列出所有选项"
    case .unexpectedArgument(let argument): "多余的参数“\(Self.shown(argument))”；cockpit 只接受选项，见 cockpit --help"
    case .missingValue(let option): "\(option.text) 需要\(option.value?.chinese ?? "不带值")"
    case .unexpectedValue(let option, let value): "\(option.text) 不带值，请去掉“=\(Self.shown(value))”"
    case .badValue(let option, let value): "\(option.text) 需要\(option.value?.chinese ?? "不带值")；“\(Self.shown(value))”不行"
    case .badLog(let reason): "--log 有误：\(Self.shown(reason, limit: 200))"
    case .needs(let option, let other): "\(option.text) 只能与 \(other.text) 一起使用"
    case .conflict(let option, let other): "\(option.text) 与 \(other.text) 不能同时使用，请去掉其中一个"
    case .tooManyPixels(let width, let height):
      "--size 乘以 --scale 得到 \(width)x\(height) 像素，每边须小于 \(Options.greatestSide + 1)"
    }
  }
}

nonisolated extension SessionError: Problem {
  /// One line in Simplified Chinese.
  var chinese: String {
    switch self {
    case .options(let error): error.chinese
    case .shell(let error): error.chinese
    case .tilt(let error): "倾斜转向：\(error)"
    case .record(let error): "记录：\(error)"
    case .scene(let error): "\(error)"
    case .cannotRead(let path, let failure): "无法读取 \(path)：\(failure.chinese)"
    case .drive(let error): "行驶数据：\(error)"
    case .cannotWrite(let path): "无法写入 \(path)：请选择存在且可写的文件夹"
    case .pictureTooLarge(let size): "\(size.width) x \(size.height) 像素的图片太大：请减小 --size 或 --scale"
    }
  }
}

nonisolated extension FileReader.Failure {
  /// The text of a file's problem, to follow a colon.
  fileprivate var chinese: String {
    switch self {
    case .system(let errno): "错误 \(errno)"
    case .notAFile: "不是普通文件"
    case .tooLarge: "文件太大"
    case .tooSlow: "读取太慢"
    }
  }
}

nonisolated extension ShellError: Problem {
  /// One line in Simplified Chinese. System messages come in the system's own language.
  var chinese: String {
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
