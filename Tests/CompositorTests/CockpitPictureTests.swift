import CompositorLab
import Testing

extension RealCompositors {
  /// The pixels that compositors make of the cockpit's buffers.
  @Suite struct CockpitPictureTests {
    /// A compositor and an output.
    struct Output: Sendable, CustomTestStringConvertible {
      var kind: CompositorKind
      var settings = Compositor.Settings(width: 960, height: 540)
      /// The scale that the compositor requests.
      var scale = 1.0

      var testDescription: String {
        "\(kind.rawValue), \(settings.width) x \(settings.height) at \(settings.scale)"
      }
    }

    static let outputs: [Output] = [
      Output(kind: .weston), Output(kind: .sway), Output(kind: .kwin),
      Output(kind: .weston, settings: .init(width: 1280, height: 960, scale: 2), scale: 2),
      Output(kind: .sway, settings: .init(width: 1280, height: 960, scale: 2), scale: 2),
      Output(kind: .kwin, settings: .init(width: 1440, height: 810, scale: 1.5), scale: 1.5),
      Output(kind: .kwin, settings: .init(width: 1280, height: 960, scale: 2), scale: 2),
    ].filter { CompositorKind.tested.contains($0.kind) }

    @Test(arguments: outputs)
    func `the output shows the picture that is drawn without a compositor`(output: Output) throws {
      let desk = try Desk(output.kind, output.settings, hasHands: false, scale: output.scale)
      try desk.expectPicture(desk.offscreen())
      #expect(try desk.cockpit.terminate() == .exited(0))
    }
  }
}
