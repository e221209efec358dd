import ControlHarness
import Controls
import ScreenJudging
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
    preferences.set("org.freedesktop.appearance", "color-scheme", number)
    preferences.set("org.freedesktop.appearance", "contrast", UInt32(contrast ? 1 : 0))
    preferences.set("org.freedesktop.appearance", "reduced-motion", UInt32(reducedMotion ? 1 : 0))
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

  @Test func `what is read has contrast in every theme, and more of it where people ask for that`() {
    for theme in [Theme.dark, .light] {
      let plain = CockpitTheme.matching(theme)
      let strong = CockpitTheme.matching(theme.withHighContrast)
      for palette in [plain, strong] {
        for ground in [palette.dial, palette.dialMiddle] {
          #expect(Contrast.ratio(palette.text, ground) > 12)
          #expect(Contrast.ratio(palette.quietText, ground) > 4.5)
          for sign in [palette.red, palette.green, palette.amber, palette.teal] {
            #expect(Contrast.ratio(sign, ground) > 4.5)
          }
        }
        for ground in palette.dashboard { #expect(Contrast.ratio(palette.quietText, ground) > 3.9, "\(theme.isDark)") }
        #expect(Contrast.ratio(palette.onLamp, palette.red) > 4.5)
      }
      #expect(Contrast.ratio(strong.quietText, strong.dial) > Contrast.ratio(plain.quietText, plain.dial) + 2)
      #expect(
        Contrast.ratio(theme.withHighContrast.secondaryLabel, theme.background) > Contrast.ratio(
          theme.secondaryLabel, theme.background) + 2)
    }
  }
}
