import CockpitControls
import ControlHarness
import Shell
import Stage
import Testing
import UICore

@testable import Controls
@testable import cockpit

/// Tests of the keyboard that a fullscreen program shows by itself, and of the cockpit's, on the stage.
@MainActor @Suite(.serialized) struct SceneKeyboardTests {
  private func tap(_ place: Point, _ stage: Stage, _ refresh: () -> Void) {
    stage.seat.touchDown(9, place.x, place.y)
    stage.seat.touchFrame()
    refresh()
    stage.seat.touchUp(9)
    stage.seat.touchFrame()
    refresh()
  }

  private func key(_ title: String, _ presenter: KeyboardPresenter) throws -> Point {
    let caps = try #require(presenter.keyboard).subviews.compactMap { $0 as? KeyCap }
    return try #require(caps.first { $0.title == title }, "\(title)").windowFrame.center
  }

  @Test func `fingers type "Passwort 1" into a fullscreen panel, whose desktop shows no keyboard`() throws {
    let root = RootView()
    let field = PasswordField(frame: Rect(x: 40, y: 300, width: 400, height: 48))
    root.addSubview(field)
    let presenter = KeyboardPresenter(in: root)
    presenter.language = .german
    let window = try StageWindow(root, size: Size(width: 800, height: 480))
    let (stage, refresh) = (window.stage, window.refresh)
    stage.toplevels[0].configure(800, 480, [.activated, .fullscreen])
    stage.seat.keyboardEnter()
    // As on Raspberry Pi OS: the compositor takes the text, and what it would show is hidden by the window.
    let input = try #require(stage.seat.textInputs.first)
    input.enter()
    refresh()
    tap(Point(x: 100, y: 320), stage, refresh)
    #expect(presenter.keyboard != nil && field.isEditing)
    #expect(input.state?.purpose == .password && input.state?.hint == [.hiddenText, .sensitiveData])
    for title in ["Shift", "P", "a", "s", "s", "w", "o", "r", "t", "space", "1"] {
      tap(try key(title, presenter), stage, refresh)
    }
    #expect(field.draft == "Passwort 1" && field.isEditing)
    #expect(input.state?.text == nil, "nobody was told")
    tap(try key("Return", presenter), stage, refresh)
    #expect(field.text == "Passwort 1" && presenter.keyboard == nil && input.state == nil)
    // One that does answer types on.
    tap(Point(x: 100, y: 320), stage, refresh)
    #expect(presenter.keyboard != nil)
    input.commit("x")
    input.done()
    refresh()
    #expect(presenter.keyboard == nil && field.isEditing)
    window.end()
  }

  /// A desk whose scene has a field at its upper left corner.
  private func desk(size: Size) throws -> (desk: DriveDesk, field: TextField) {
    let field = TextField(frame: Rect(x: 4, y: 4, width: 90, height: 44))
    let desk = try DriveDesk(
      size: size,
      arrange: {
        $0.addSubview(field)
      })
    return (desk, field)
  }

  @Test func `opening the keyboard lets go of what is held beneath it`() throws {
    let (scene, field) = (CockpitScene(), TextField(frame: Rect(x: 4, y: 4, width: 90, height: 44)))
    scene.gearbox.followsFinger = true
    scene.addSubview(field)
    let window = try StageWindow(ContentRelay(scene: scene), size: Size(width: 480, height: 320))
    let seat = window.stage.seat
    for (phase, gear) in [(0, Gear.neutral), (1, .forward(1)), (1, .forward(3))] {
      let place = scene.lever(gear)
      if phase == 0 { seat.touchDown(1, place.x, place.y) } else { seat.touchMotion(1, place.x, place.y) }
      seat.touchFrame()
      window.refresh()
    }
    #expect(scene.gearbox.gear == .forward(3) && scene.gearbox.isTracking)
    tap(field.windowFrame.center, window.stage, window.refresh)
    let keyboard = try #require(scene.keyboard.keyboard)
    #expect(keyboard.frame.intersects(scene.gearbox.windowFrame))
    #expect(!scene.gearbox.isTracking && scene.gearbox.gear == .neutral)
    window.end()
  }

  @Test(arguments: [Size(width: 480, height: 320), Size(width: 800, height: 480), Size(width: 1280, height: 720)])
  func `while something is driven the keyboard covers nothing of it, and the hold goes on`(size: Size) throws {
    let (desk, field) = try desk(size: size)
    desk.takeLever(to: .forward(2))
    tap(field.windowFrame.center, desk.stage, desk.refresh)
    #expect(field.isEditing && desk.scene.gearbox.isTracking && desk.line.command.gear == 2)
    if let keyboard = desk.scene.keyboard.keyboard {
      for obstacle in desk.scene.obstacles where obstacle.isVital {
        #expect(!keyboard.frame.intersects(obstacle.frame))
      }
      #expect(desk.scene.stop.map { !keyboard.frame.intersects($0.frame) } ?? false)
    }
    desk.end()
  }

  @Test func `the inspector's texts have the keyboard inside it while something is driven`() throws {
    let (desk, field) = try desk(size: Size(width: 1280, height: 720))
    field.removeFromSuperview()
    desk.scene.inspector.open()
    desk.refresh()
    let panel = try #require(desk.scene.inspector.panel)
    panel.chosenView = desk.scene.wheel
    for _ in 0..<4 { desk.refresh() }
    let name = try #require(panel.view(named: "name")?.view(named: "field"))
    let scroll = try #require(name.superview?.superview?.superview?.superview?.superview?.superview as? ScrollView)
    scroll.scrollRectToVisible(name.convert(name.bounds, to: scroll.contentView), animated: false)
    for _ in 0..<8 { desk.refresh() }
    tap(name.windowFrame.center, desk.stage, desk.refresh)
    #expect(name.isFirstResponder)
    let keyboard = try #require(desk.scene.keyboard.keyboard)
    #expect(panel.frame.union(keyboard.frame) == panel.frame && !keyboard.frame.intersects(name.windowFrame))
    let gear = desk.line.command.gear
    for title in ["h", "space", "Backspace", "v", "Return"] {
      tap(try key(title, desk.scene.keyboard), desk.stage, desk.refresh)
    }
    #expect(desk.scene.wheel.name.hasSuffix("hv"))
    #expect(desk.line.command.gear == gear && !desk.scene.horn.isSounding, "keys of a text drive nothing")
    desk.end()
  }
}
