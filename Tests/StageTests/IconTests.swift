import ClientProtocols
import Stage
import Testing
import UICore
import Wayland

/// Icons of windows, dialogs, and the states of version 7.
@MainActor @Suite(.serialized) struct IconTests {
  private let stage = Stage()

  @Test func `a window's icon applies with the commit, survives its object, and goes with an empty one`() throws {
    let actor = try RuleActor(stage)
    let window = try actor.shownWindow()
    let manager = try actor.global(XdgToplevelIconManagerV1.self)
    var (sizes, isDone) = ([Int32](), false)
    manager.onEvent = {
      switch $0 {
      case .iconSize(let size): sizes.append(size)
      case .done: isDone = true
      }
    }
    actor.settle()
    #expect(sizes == [32, 64] && isDone)
    let (icon, buffer, larger) = (actor.keep(manager.createIcon()), try actor.buffer(32, 32), try actor.buffer(32, 32))
    larger.fill(0xff11_2233)
    icon.setName(iconName: "printer")
    icon.addBuffer(buffer: buffer.buffer, scale: 1)
    icon.addBuffer(buffer: buffer.buffer, scale: 2)
    icon.addBuffer(buffer: larger.buffer, scale: 1)
    manager.setIcon(toplevel: window.toplevel, icon: icon)
    actor.settle()
    #expect(stage.toplevel.icon == nil)
    window.surface.commit()
    icon.end()
    buffer.end()
    actor.settle()
    let shown = try #require(stage.toplevel.icon)
    #expect(shown.name == "printer" && shown.pictures.map(\.scale) == [2, 1])
    #expect(shown.pictures.last?.pixels.pixel(x: 0, y: 0) == 0xff11_2233)
    manager.setIcon(toplevel: window.toplevel, icon: actor.keep(manager.createIcon()))
    window.surface.commit()
    actor.settle()
    #expect(stage.toplevel.icon == nil && stage.violations == [])
  }

  @Test func `a single pixel is no icon`() throws {
    let actor = try RuleActor(stage)
    let pixel = try actor.global(WpSinglePixelBufferManagerV1.self).createU32RgbaBuffer(r: 0, g: 0, b: 0, a: .max)
    try actor.icon().addBuffer(buffer: pixel, scale: 1)
    actor.settle()
    #expect(stage.violations.map(\.rule) == [.iconBufferInvalid])
  }

  @Test func `a dialog is one over a parent, and modal while its client says so`() throws {
    let actor = try RuleActor(stage)
    let (parent, window) = (try actor.shownWindow(), try actor.shownWindow())
    let dialog = actor.keep(try actor.global(XdgWmDialogV1.self).getXdgDialog(toplevel: window.toplevel))
    dialog.setModal()
    actor.settle()
    let toplevel = try #require(stage.toplevels.last)
    #expect(!toplevel.isDialog && !toplevel.isModal, "it has no parent")
    window.toplevel.setParent(parent: parent.toplevel)
    actor.settle()
    #expect(toplevel.isDialog && toplevel.isModal)
    dialog.unsetModal()
    actor.settle()
    #expect(toplevel.isDialog && !toplevel.isModal)
    dialog.end()
    actor.settle()
    #expect(!toplevel.isDialog && stage.violations == [])
  }

  @Test(arguments: [6, 7] as [Int32]) func `edges are constrained since version 7 of xdg_wm_base`(version: Int32) throws
  {
    var globals = StageGlobals.everything
    globals.windowBase = version
    let stage = Stage(globals: globals)
    let actor = try RuleActor(stage)
    _ = try actor.shownWindow()
    stage.toplevel.configure(60, 40, [.activated, .constrainedLeft, .constrainedBottom])
    #expect(stage.toplevel.configured?.states.count == (version == 7 ? 3 : 1))
  }
}
