import ControlHarness
import ControlTools
import Controls
import Testing
import UICore

@testable import cockpit_catalogue

/// Pictures of every control in every state: each scale, both themes and both reading directions.
@MainActor @Suite(.serialized) struct EveryControlGoldenTests {
  /// One of the pictures: every pair of two of their three properties is in one of them.
  nonisolated struct Variant: Sendable {
    let scale: Double
    let isDark: Bool
    let isMirrored: Bool

    var name: String { "every-control\(isDark ? "-dark" : "")\(isMirrored ? "-rtl" : "")@\(scale)" }

    static let all = [
      Variant(scale: 1, isDark: false, isMirrored: false), Variant(scale: 1, isDark: true, isMirrored: true),
      Variant(scale: 1.5, isDark: false, isMirrored: true), Variant(scale: 1.5, isDark: true, isMirrored: false),
      Variant(scale: 2, isDark: true, isMirrored: false), Variant(scale: 2, isDark: false, isMirrored: true),
    ]
  }

  @Test(arguments: Variant.all) func `every control in every state`(variant: Variant) {
    let registry = ViewRegistry.everyControl
    var stages: [CatalogueBoard] = []
    var height = 0.0
    for type in registry.typeNames {
      let stage = CatalogueBoard()
      stage.show(type, of: registry)
      stage.frame = Rect(x: 0, y: height, width: 1120, height: stage.sizeThatFits(Size(width: 1120, height: 0)).height)
      height = stage.frame.maxY
      stages.append(stage)
    }
    #expect(stages.allSatisfy { !$0.cells.isEmpty })
    let root = RootView(frame: .zero)
    root.theme = variant.isDark ? .dark : .light
    root.backgroundColor = root.theme.background
    root.layoutDirection = variant.isMirrored ? .rightToLeft : .leftToRight
    for stage in stages { root.addSubview(stage) }
    let size = Size(width: 1120, height: height)
    ControlHarness(size: size, scale: Scale(variant.scale), root: root, fonts: ControlHarness.screenFonts).expectGolden(
      variant.name, tolerance: 2)
  }
}
