import ControlHarness
import Controls
import Glibc
import Testing
import UICore

@testable import Desktop
@testable import cockpit

/// The scene as the desktop's preferences have it: by day and at night, with contrast, with less motion.
@MainActor @Suite(.serialized) struct AppearanceTests {
  private func preferences(
    _ scheme: DesktopPreferences.ColorScheme? = nil, contrast: Bool = false, reducedMotion: Bool = false
  ) -> DesktopPreferences {
    var preferences = DesktopPreferences()
    let number: UInt32 = scheme == .dark ? 1 : scheme == .light ? 2 : 0
    preferences.note("org.freedesktop.appearance", "color-scheme", .unsigned(number))
    preferences.note("org.freedesktop.appearance", "contrast", .unsigned(contrast ? 1 : 0))
    preferences.note("org.freedesktop.appearance", "reduced-motion", .unsigned(reducedMotion ? 1 : 0))
    return preferences
  }

  @Test func `the option goes before the desktop, and dark is what nobody chose`() {
    let scene = CockpitScene()
    let cases: [(DesktopPreferences.ColorScheme?, ThemeChoice, Bool)] = [
      (nil, .auto, true), (.light, .auto, false), (.dark, .auto, true), (.light, .dark, true), (.dark, .light, false),
      (nil, .light, false),
    ]
    for (scheme, choice, isDark) in cases {
      scene.adopt(SceneLook(preferences(scheme), choice: choice))
      #expect(scene.theme.isDark == isDark && scene.palette == (isDark ? .dark : .light))
    }
    scene.adopt(SceneLook(preferences(.light, contrast: true), choice: .auto))
    #expect(scene.theme.isHighContrast && !scene.theme.isDark)
  }

  @Test func `day and night change live: everything is drawn anew, the values and the held finger stay`() {
    let scene = CockpitScene()
    scene.cluster.beacon.isEnabled = false
    let harness = ControlHarness(size: Size(width: 480, height: 320), root: scene)
    harness.touch(.began, at: scene.lever(.neutral))
    for choice in [ThemeChoice.light, .dark, .light] {
      scene.adopt(SceneLook(preferences(), choice: choice))
      // The harness compares every view's kept layers with a drawing from nothing.
      harness.frame()
      #expect(harness.lastDamage.area == 480 * 320)
      #expect(scene.cluster.speedometer.gearColor == scene.palette.red, "N's colour, of this theme")
    }
    #expect(scene.gearbox.isTracking)
    scene.adopt(SceneLook(preferences(), choice: .light))
    #expect(!scene.needsFrame, "the same again costs nothing")
    harness.touch(.cancelled, at: scene.lever(.neutral))
  }

  @Test func `with less motion the horn's rings stand still at once, and the beacon, a fade, goes on`() {
    let scene = CockpitScene()
    let harness = ControlHarness(size: Size(width: 480, height: 320), root: scene)
    harness.touch(.began, at: scene.horn.windowFrame.center)
    harness.advance(by: .milliseconds(300))
    #expect(scene.horn.inspection.values["isSounding"] != nil && scene.horn.isSounding)
    let moving = scene.horn.hasAnimation(forKey: "rings")
    scene.adopt(SceneLook(preferences(reducedMotion: true), choice: .auto))
    harness.advance(by: .milliseconds(100))
    #expect(moving && !scene.horn.hasAnimation(forKey: "rings") && scene.cluster.beacon.isPulsing)
    #expect(scene.horn.isSounding, "it still sounds, and shows it by its lit edge")
    scene.adopt(SceneLook(preferences(), choice: .auto))
    #expect(scene.horn.hasAnimation(forKey: "rings"), "and back, live")
    harness.touch(.ended, at: scene.horn.windowFrame.center)
  }

  /// The contrast of two colours as WCAG has it, 1...21.
  private func contrast(_ a: Color, _ b: Color) -> Double {
    func luminance(_ color: Color) -> Double {
      func linear(_ part: Double) -> Double {
        part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4)
      }
      return 0.2126 * linear(color.red) + 0.7152 * linear(color.green) + 0.0722 * linear(color.blue)
    }
    let (x, y) = (luminance(a), luminance(b))
    return (max(x, y) + 0.05) / (min(x, y) + 0.05)
  }

  @Test func `what is read has contrast in every theme, and more of it where people ask for that`() {
    for theme in [Theme.dark, .light] {
      let plain = CockpitTheme.matching(theme)
      let strong = CockpitTheme.matching(theme.withHighContrast)
      for palette in [plain, strong] {
        for ground in [palette.dial, palette.dialMiddle] {
          #expect(contrast(palette.text, ground) > 12)
          #expect(contrast(palette.quietText, ground) > 4.5)
          for sign in [palette.red, palette.green, palette.amber, palette.teal] {
            #expect(contrast(sign, ground) > 4.5)
          }
        }
        for ground in palette.dashboard { #expect(contrast(palette.quietText, ground) > 3.9, "\(theme.isDark)") }
        #expect(contrast(palette.onLamp, palette.red) > 4.5)
      }
      #expect(contrast(strong.quietText, strong.dial) > contrast(plain.quietText, plain.dial) + 2)
      #expect(
        contrast(theme.withHighContrast.secondaryLabel, theme.background) > contrast(
          theme.secondaryLabel, theme.background) + 2)
    }
  }
}
