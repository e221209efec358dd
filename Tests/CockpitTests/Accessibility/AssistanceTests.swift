import CockpitControls
import Controls
import DriveLink
import JSON
import Stage
import Testing
import UICore

@testable import Accessibility
@testable import cockpit

/// Tests of the actions of assistive technology on a cockpit that drives, and of its answers.
@MainActor @Suite(.serialized) struct AssistanceTests {
  private func refusal(_ desk: DriveDesk, _ command: AccessibilityCommand, _ view: View) -> String? {
    do throws(AccessibilityRefusal) {
      try desk.relay.carryOut(command, on: view)
      return nil
    } catch { return error.reason }
  }

  @Test func `with the dead-man's rule nothing but the brake obeys, held or not`() throws {
    let desk = try DriveDesk()
    let (lever, wheel) = (desk.scene.gearbox, desk.scene.wheel)
    let reason = Language.english.needsHand
    let before = desk.lines.count
    #expect(refusal(desk, .setValue(3), lever) == reason && refusal(desk, .perform("shift up"), lever) == reason)
    #expect(refusal(desk, .setValue(30), wheel) == reason && refusal(desk, .perform("turn left"), wheel) == reason)
    #expect(desk.lines.count == before && lever.gear == .neutral && desk.line.state == .ready)
    desk.takeLever(to: .forward(5))
    #expect(refusal(desk, .setValue(7), lever) == reason && lever.gear == .forward(5))
    #expect(refusal(desk, .perform("brake"), lever) == nil)
    #expect(desk.line.command.gear == 0 && lever.gear == .neutral)
    #expect(refusal(desk, .focus, lever) == nil && lever.isFirstResponder)
    desk.end()
  }

  @Test func `a horn that it sounds ends by itself in the lines too, whatever became of who asked`() throws {
    let desk = try DriveDesk()
    let horn = desk.scene.horn
    #expect(refusal(desk, .perform("sound"), horn) == nil)
    #expect(desk.line.command.horn && desk.line.command.gear == 0 && !desk.line.command.isHeld)
    // No request follows.
    desk.pass(Horn.honkDuration + .milliseconds(50))
    #expect(!desk.line.command.horn && !horn.isSounding)
    // A window that goes meanwhile ends it at once, as it does a hand's.
    #expect(refusal(desk, .perform("sound"), horn) == nil && desk.line.command.horn)
    desk.stage.clients.last?.hangUp()
    desk.settle()
    #expect(!desk.line.command.horn && !horn.isSounding)
    desk.end()
  }

  @Test func `without it assistance is no hand either: before, while and after one drives`() throws {
    let desk = try DriveDesk(isDeadMan: false)
    let lever = desk.scene.gearbox
    #expect(refusal(desk, .setValue(3), lever) == "Not driving. Touch the lever to go on")
    #expect(desk.line.state == .ready && lever.gear == .neutral)
    desk.takeLever(to: .forward(5))
    #expect(refusal(desk, .setValue(3), lever) == Language.english.needsHand)
    desk.lift(1)
    #expect(refusal(desk, .setValue(3), lever) == Language.english.needsHand && desk.line.command.gear == 5)
    #expect(refusal(desk, .setValue(0), lever) == nil && desk.line.command.gear == 0)
    // At rest again: what moves it next must be a hand.
    #expect(desk.line.state == .ready)
    #expect(refusal(desk, .setValue(3), lever) != nil && lever.gear == .neutral)
    desk.end()
  }

  @Test(arguments: [true, false]) func `while a vehicle is driven it presses nothing that may move it by a detour`(
    isDeadMan: Bool
  ) throws {
    let desk = try DriveDesk(isDeadMan: isDeadMan)
    let scene = desk.scene
    scene.cluster.showsTilt = true
    var presses = 0
    let button = Button("Up")
    button.addAction(for: .primaryActionTriggered) { _ in
      presses += 1
      scene.gearbox.shiftUp()
    }
    scene.addSubview(button)
    let lamp = try #require(scene.cluster.tilt)
    lamp.addAction(for: .primaryActionTriggered) { _ in presses += 1 }
    desk.takeLever(to: .forward(3))
    for view in [button, lamp] as [View] {
      #expect(refusal(desk, .perform("press"), view) == Language.english.needsHand)
      #expect(refusal(desk, .focus, view) == nil)
    }
    #expect(presses == 0 && desk.line.command.gear == 3)
    #expect(refusal(desk, .perform("brake"), scene.gearbox) == nil && desk.line.command.gear == 0)
    desk.lift(1)
    // Outside a drive: a lamp may be pressed, and a button that shifts leaves the lever where it was.
    #expect(refusal(desk, .perform("press"), lamp) == nil && presses == 1)
    #expect(refusal(desk, .perform("press"), button) == nil && presses == 2)
    #expect(scene.gearbox.gear == .neutral && desk.line.command == .neutral)
    desk.end()
  }

  @Test func `the reason of a loss is announced, and is an element while it is shown`() throws {
    let desk = try DriveDesk()
    var heard: [String] = []
    let token = desk.scene.observeActivity { if case .announcement(let text) = $0 { heard.append(text) } }
    desk.takeLever(to: .forward(5))
    desk.session.reportLoss(.sensorLost)
    desk.lift(1)
    let (first, second) = ("Tilt sensor lost. Lift, then touch the lever", "Tilt sensor lost. Touch the lever to go on")
    #expect(heard == [first, second])
    let alert = try #require(desk.scene.accessibilityElements.first { $0.accessibilityRole == .alert })
    #expect(alert.accessibilityLabel == second)
    // A normal end of a drive does not interrupt the screen reader.
    desk.takeLever(to: .forward(5))
    desk.lift(1)
    #expect(heard.count == 2 && desk.line.reason == .lift)
    #expect(!desk.scene.accessibilityElements.contains { $0.accessibilityRole == .alert })
    #expect(
      desk.scene.accessibilityElements.contains { $0.accessibilityLabel == "Finger lifted. Touch the lever to go on" })
    token.remove()
    desk.end()
  }

  @Test(arguments: [Language.english, .chinese]) func `every part has a name and words`(language: Language) throws {
    Language.current = language
    defer { Language.current = .english }
    let scene = CockpitScene()
    scene.resize(to: Size(width: 800, height: 480), scale: .one)
    scene.prepareFrame(for: .zero)
    scene.gearbox.gear = .forward(7)
    scene.wheel.angle = -42
    let elements = scene.accessibilityElements
    #expect(elements.allSatisfy { !($0.accessibilityLabel ?? "").isEmpty })
    #expect(elements.contains { $0 === scene.gearbox } && elements.contains { $0 === scene.horn })
    let isChinese = language == .chinese
    #expect(scene.gearbox.accessibilityLabel == (isChinese ? "换挡杆" : "Gearbox"))
    #expect(scene.gearbox.accessibilityValue?.text == (isChinese ? "7 挡" : "gear 7"))
    #expect(scene.wheel.accessibilityValue?.text == (isChinese ? "左 42 度" : "42 degrees left"))
    #expect(scene.accessibilityHitTest(scene.horn.windowFrame.center) === scene.horn)
    // A word that a translator forgot would be an English one.
    if isChinese {
      for (own, english) in [
        (Mirror(reflecting: AccessibilityWords.chinese), Mirror(reflecting: AccessibilityWords())),
        (Mirror(reflecting: VehicleWords.chinese), Mirror(reflecting: VehicleWords())),
      ] {
        for (word, other) in zip(own.children, english.children) {
          #expect("\(word.value)" != "\(other.value)", "\(word.label ?? "")")
        }
      }
    }
  }

  @Test func `wishes are data: what is recorded is read again`() throws {
    let place = ViewPath(indices: [1, 0, 2])
    for command in [
      AccessibilityCommand.setValue(-42.5), .setText("a \"b\"\n"), .perform("shift up"), .focus,
    ] {
      let event = SessionEvent.assist(place, command)
      let line = "{\"time\":0,\(event.fields(since: .zero))}"
      let read = SessionEvent.read(try JSONValue(Array(line.utf8), .line), since: .zero)
      #expect(read == event, "\(line)")
    }
    let scene = CockpitScene()
    #expect(ViewPath(of: scene.horn, in: scene)?.view(in: scene) === scene.horn)
    #expect(ViewPath(indices: [99]).view(in: scene) == nil && ViewPath(of: View(), in: scene) == nil)
  }

  @Test func `texts are cut by characters, words and lines`() {
    let slices = TextSlices("two  wordé x")
    func at(_ offset: Int, _ granularity: UInt32) -> String {
      slices.unit(TextSlices.Granularity(offset, granularity), .at).text
    }
    #expect(at(0, 0) == "t" && at(0, 1) == "two  " && at(4, 1) == "two  " && at(6, 1) == "wordé " && at(11, 1) == "x")
    #expect(at(5, 3) == "two  wordé x" && at(12, 1).isEmpty && at(-1, 0).isEmpty)
    #expect(slices.unit(TextSlices.Granularity(5, boundary: 1), .before).text == "two  ")
    #expect(slices.unit(TextSlices.Granularity(5, boundary: 1), .after).text == "x")
    #expect(slices.unit(TextSlices.Granularity(0, boundary: 1), .before).text.isEmpty)
    #expect(slices.part(-5, 3).text == "two" && slices.part(9, 2).text.isEmpty && slices.part(0, 99).range == 0..<12)
    #expect(slices.scalar(at: 9)?.value == 0xe9 && slices.scalar(at: 12) == nil)
  }

  @Test func `a text of several lines is one element: an editable text with lines`() {
    let view = TextView(frame: Rect(x: 0, y: 0, width: 200, height: 100))
    (view.name, view.text) = ("note", "one\ntwo")
    #expect(Role(view.accessibilityRole).name == "text" && view.accessibilityElements.isEmpty)
    #expect(view.accessibleStates.isSuperset(of: [.multiLine, .editable, .focusable]))
    #expect(!view.accessibleStates.contains(.singleLine))
    #expect(view.accessibleInterfaces == ["Accessible", "Component", "Text", "EditableText"])
    #expect(!TextField().accessibleStates.contains(.multiLine))
  }

  @Test func `a line of a text has its end`() {
    let slices = TextSlices("one\n\ntwo")
    let lines = [0, 3, 4, 5, 7].map { slices.unit(TextSlices.Granularity($0, 3), .at).text }
    #expect(lines == ["one\n", "one\n", "\n", "two", "two"])
    #expect(slices.unit(TextSlices.Granularity(5, 3), .before).text == "\n")
  }
}
