import ControlHarness
import Controls
import Shell
import Testing
import UICore

@testable import cockpit

/// English and Simplified Chinese, by the locale; words from right to left, the car as it is.
@MainActor @Suite(.serialized) struct LanguageTests {
  @Test(arguments: [
    ("zh_CN.UTF-8", "zh"), ("zh", "zh"), ("zh_SG", "zh"), ("zh_Hans_HK", "en"), ("zh_TW.UTF-8", "en"),
    ("zh-Hant", "en"),
    ("en_GB.UTF-8", "en"), ("C", "en"), ("POSIX", "en"), ("", "en"), ("de_DE@euro", "en"), ("zhx_YY", "en"),
  ])
  func `the locale says the language`(locale: String, code: String) {
    #expect(Language.preferred(locale).code.rawValue == code)
  }

  @Test func `languages written from right to left mirror texts`() {
    for locale in ["ar_EG.UTF-8", "he", "fa_IR", "ur_PK", "iw_IL"] {
      #expect(Language.direction(locale) == .rightToLeft, "\(locale)")
    }
    for locale in ["en", "zh_CN", "C", "", "are"] { #expect(Language.direction(locale) == .leftToRight, "\(locale)") }
  }

  @Test func `lamps follow the reading direction, the car's controls stay where the hands are`() {
    let scene = CockpitScene()
    let harness = ControlHarness(size: Size(width: 1280, height: 720), root: scene)
    func places() -> [Rect] { [scene.gearbox, scene.wheel, scene.horn, scene.cluster.steering].map(\.windowFrame) }
    let (car, beacon, brake) = (places(), scene.cluster.beacon.windowFrame, scene.cluster.brake.windowFrame)
    #expect(beacon.maxX < brake.minX)
    scene.layoutDirection = .rightToLeft
    harness.frame()
    #expect(places() == car)
    #expect(scene.cluster.beacon.windowFrame.minX > scene.cluster.brake.windowFrame.maxX)
    scene.wheel.angle = 40
    #expect(SteeringIndicator.text(40).hasSuffix("→"), "right stays right")
  }

  @Test func `every problem is told in Chinese, with its numbers and names`() {
    let problems: [any Problem] = [
      OptionError.unknownOption("--sise", nearest: .size), OptionError.unknownOption("--x", nearest: nil),
      OptionError.unexpectedArgument("x"), OptionError.missingValue(.size), OptionError.unexpectedValue(.demo, "1"),
      OptionError.badValue(.gear, "11"), OptionError.badLog("x"), OptionError.conflict(.gear, .drive),
      OptionError.tooManyPixels(width: 1, height: 2), SessionError.cannotWrite("/x"),
      SessionError.pictureTooLarge(PixelSize(width: 1, height: 2)),
      SessionError.shell(.connectionLost(errno: 3)), ShellError.noCompositor(display: "/run/x", errno: 2),
      ShellError.missingGlobal(interface: "wl_shm", needed: 1),
      ShellError.oldGlobal(interface: "wl_shm", offered: 1, needed: 2), ShellError.system(operation: "read", errno: 5),
      ShellError.protocolError(interface: "wl_shm", id: 4, code: 5),
    ]
    for problem in problems {
      #expect(problem.text(in: .english) == problem.description)
      let text = problem.text(in: .chinese)
      #expect(text.unicodeScalars.contains { (0x4e00...0x9fff).contains($0.value) }, "\(text)")
      #expect(!text.contains("\n"))
    }
    #expect(OptionError.badValue(.gear, "11").text(in: .chinese) == "--gear 需要N、R 或 1 到 10 挡；“11”不行")
    for value in OptionName.allCases.compactMap(\.row.value) {
      #expect(!value.chinese.isEmpty && !value.english.isEmpty)
    }
  }
}
