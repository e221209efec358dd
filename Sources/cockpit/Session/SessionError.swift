import ControlTools
import Controls
import DriveLink
import Linux
import Shell
import Tilt
import UICore

/// A failure that ends the program with one line.
nonisolated struct SessionError: Problem {
  let texts: (english: String, chinese: String)
  /// The program's exit code.
  var exitCode: Int32 = 1

  static func options(_ error: OptionError) -> Self { Self(texts: error.texts, exitCode: OptionError.exitCode) }
  static func configuration(_ error: ConfigurationError) -> Self {
    Self(texts: error.texts, exitCode: OptionError.exitCode)
  }
  static func shell(_ error: ShellError) -> Self { Self(texts: error.texts) }
  static func scene(_ error: LayoutFileError) -> Self { Self(texts: ("\(error)", "\(error)")) }
  static func tilt(_ error: TiltError) -> Self { Self(texts: ("\(error)", "倾斜转向：\(error)")) }
  static func drive(_ error: DriveLinkError) -> Self { Self(texts: ("\(error)", "行驶数据：\(error)")) }
  static func record(_ error: RecordError) -> Self { Self(texts: ("\(error)", "记录：\(error)")) }
  static func cannotRead(_ path: String, _ failure: FileReader.Failure) -> Self {
    Self(texts: ("cannot read \(path): \(failure)", "无法读取 \(path)：\(failure.chinese)"))
  }
  static func cannotWrite(_ path: String) -> Self {
    Self(
      texts: (
        "cannot write \(path): choose a folder that exists and that you may write to",
        "无法写入 \(path)：请选择存在且可写的文件夹"
      ))
  }
  static let cannotPrint = Self(
    texts: ("standard output took no more lines: its reader is gone, or its disk is full", "标准输出不再接受数据：读取方已退出或磁盘已满"))
  static let noHome = Self(
    texts: (
      "no place for a configuration: set XDG_CONFIG_HOME or HOME to an absolute path, or name a file by --config",
      "没有存放配置的位置：请将 XDG_CONFIG_HOME 或 HOME 设为绝对路径，或用 --config 指定文件"
    ))
  static func pictureTooLarge(_ size: PixelSize) -> Self {
    Self(
      texts: (
        "a picture of \(size.width) x \(size.height) pixels is too large: choose a smaller --size or --scale",
        "\(size.width) x \(size.height) 像素的图片太大：请减小 --size 或 --scale"
      ))
  }
}
