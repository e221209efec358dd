import ControlHarness
import ControlTools
import Controls
import Testing
import UICore

@testable import cockpit

/// Pictures of every control in every state: at each scale, in both themes and both reading directions.
@MainActor @Suite(.serialized) struct EveryControlGoldenTests {
  /// One of the twelve pictures.
  nonisolated struct Variant: Sendable {
    let scale: Double
    let isDark: Bool
    let isMirrored: Bool

    var name: String { "every-control\(isDark ? "-dark" : "")\(isMirrored ? "-rtl" : "")@\(scale)" }

    static let all = [1, 1.5, 2].flatMap { scale in
      [false, true].flatMap { dark in [false, true].map { Variant(scale: scale, isDark: dark, isMirrored: $0) } }
    }
  }

  @Test(arguments: Variant.all) func `every control in every state`(variant: Variant) {
    let registry = ViewRegistry.controls
    var stages: [CatalogueStage] = []
    var height = 0.0
    for type in registry.typeNames {
      let stage = CatalogueStage()
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
    ControlHarness(size: size, scale: Scale(variant.scale), root: root).expectGolden(variant.name, tolerance: 2)
  }
}
