import ControlHarness
import Controls
import DriveLink
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

  @Test func `a language whose letters no font has gives way to English`() {
    #expect(Language.chinese.shown(by: ControlHarness.chineseFonts) == .chinese)
    #expect(Language.chinese.shown(by: ControlHarness.fonts) == .english)
    #expect(Language.chinese.shown(by: FontLibrary(files: [], defaultFamily: "None")) == .english)
    #expect(Language.english.shown(by: ControlHarness.fonts) == .english)
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

  @Test func `the control that stops by software is called STOP, never an emergency stop, which it is not`() {
    var words = [HelpText.text]
    for language in [Language.english, .chinese] {
      words += Mirror(reflecting: language).children.map { "\($0.value)" }
      for reason in DriveReason.allCases {
        for (isStopped, owner) in [(false, nil), (true, nil), (false, ""), (false, "3f9a01c7")] as [(Bool, String?)] {
          var notice = LossNotice(reason: reason)
          (notice.isStopped, notice.stopOwner) = (isStopped, owner)
          words.append(notice.spoken(in: language))
        }
      }
    }
    for word in words { #expect(!word.lowercased().contains("emergency") && !word.contains("急"), "\(word)") }
    // Consumers know it by this word.
    #expect(DriveReason.emergencyStop.rawValue == "emergency-stop")
    #expect(Language.english.stopSign == "STOP" && Language.english.stop == "STOP")
  }

  @Test func `errors are one line of English, with their numbers and names, in every language`() {
    defer { Language.current = .english }
    for language in [Language.english, .chinese] {
      Language.current = language
      let problems: [(any Error & CustomStringConvertible, names: String)] = [
        (OptionError.unknownOption("--sise", nearest: .size), "--sise"), (OptionError.missingValue(.size), "--size"),
        (OptionError.badValue(.gear, "11"), "'11'"), (OptionError.conflict(.gear, .drive), "--drive"),
        (OptionError.tooManyPixels(width: 1, height: 2), "1x2"), (SessionError.cannotWrite("/x"), "/x"),
        (SessionError(ShellError.connectionLost(errno: 3)), "compositor"),
        (SessionError(ShellError.noCompositor(display: "/run/x", errno: 2)), "/run/x"),
        (SessionError(ShellError.missingGlobal(interface: "wl_shm", needed: 1)), "wl_shm"),
      ]
      for (problem, name) in problems {
        let line = problem.description
        #expect(line.contains(name) && !line.contains("\n") && line.unicodeScalars.allSatisfy(\.isASCII), "\(line)")
      }
      #expect(HelpText.text.unicodeScalars.allSatisfy { $0.isASCII })
    }
  }
}
