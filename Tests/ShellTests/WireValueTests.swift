import Stage
import Testing
import UICore

@testable import Shell

/// Tests of values from programs and contents, and of their form on the wire.
@MainActor @Suite(.serialized) struct WireValueTests {
  @Test(arguments: [("x", 1024), ("ä", 1024), ("世", 1023), ("😀", 1024)])
  func `a name of any length is sent as far as it has room, in whole letters, and the connection lives`(
    letter: String, bytes: Int
  ) throws {
    let long = String(repeating: letter, count: 4200)
    try play(prepare: { _, options in (options.title, options.applicationID) = (long, long) }) { show in
      #expect(show.toplevel.title?.utf8.count == bytes && long.hasPrefix(show.toplevel.title ?? "no title"))
      #expect(show.toplevel.appID == show.toplevel.title)
      show.window?.title = "a" + long
      show.settle()
      #expect(show.failure == nil && show.toplevel.title?.hasPrefix("a" + letter) == true)
      #expect(show.window?.title == "a" + long)
      show.window?.title = "short"
      show.settle()
      #expect(show.toplevel.title == "short")
    }
  }

  @Test func `a token that has no room is not sent: a part of it is none`() throws {
    try play(prepare: { _, options in options.activationToken = String(repeating: "t", count: 5000) }) { show in
      show.refresh()
      #expect(show.failure == nil && show.surface.isMapped && show.surface.activations.isEmpty)
    }
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity, -5, 0.4, 1e300])
  func `a strip of any size, and any places for input, are sent as numbers that there are`(number: Double) throws {
    var globals = StageGlobals.everything
    globals.layerShell = 4
    for side in WindowRole.Side.allCases {
      try play(globals) { _, options in
        (options.role, options.size) = (.strip(side), Size(width: number, height: number))
      } _: { show in
        let strip = try #require(show.stage.layerSurfaces.first)
        #expect(max(strip.size.width, strip.size.height) > 0)
        show.content.inputArea = [Rect(x: number, y: number, width: number, height: number)]
        strip.configure(320, 48)
        show.settle()
        show.refresh()
        #expect(show.failure == nil && strip.surface.isMapped)
      }
    }
  }

  @Test func `a caret at no place is told as one at the corner`() throws {
    try play { show in
      show.seat.textInputs.first?.enter()
      show.settle()
      let nowhere = Rect(x: .nan, y: -.infinity, width: .infinity, height: .nan)
      show.window?.setTextInput(TextInputState(session: 1, text: "a", caret: 0, anchor: 0, caretArea: nowhere))
      show.settle()
      #expect(show.failure == nil)
    }
  }

  @Test func `a scale of 0 says nothing`() throws {
    try play { show in
      show.surface.prefer(Scale(2))
      show.settle()
      show.calm()
      show.surface.sendFractionalScale(in120ths: 0)
      show.settle()
      show.content.paint(PixelRect(x: 0, y: 0, width: 5, height: 5))
      show.refresh()
      #expect(show.surface.buffer?.size == PixelSize(width: 128, height: 96))
    }
  }

  @Test func `a decoration of parts of points lies on whole ones, as the surface does`() {
    let insets = EdgeInsets(top: 30.4, left: 0.5, bottom: 1.2, right: .nan)
    let extent = DecorationExtent(insets: insets, overhang: insets)
    #expect(extent.insets == EdgeInsets(top: 30, left: 1, bottom: 1, right: 0) && extent.overhang == extent.insets)
  }
}
