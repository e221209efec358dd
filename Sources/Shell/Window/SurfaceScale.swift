// Which scale a surface has, from everything that may say so. Pure.

import Interface

/// The scale of a surface by the best source there is: the program's own wish, wp_fractional_scale_v1, wl_surface's
/// preferred_buffer_scale (version 6), else the largest of the outputs that show it.
nonisolated struct SurfaceScale: Sendable {
  /// The program's own wish.
  var wish: Scale?
  /// wp_fractional_scale_v1.preferred_scale.
  var fractional: Scale?
  /// wl_surface.preferred_buffer_scale.
  var preferred: Int?
  /// The scales of the outputs that the surface is on. Without any (a screen that sleeps, or was unplugged) the last known
  /// scale stays: the next output is mostly the same one.
  var outputs: [Int] = [] {
    didSet { ofOutputs = outputs.max() ?? ofOutputs }
  }
  private var ofOutputs = 1
  /// True where a viewport lets the buffer have any size.
  var allowsFractions: Bool

  init(wish: Scale?, allowsFractions: Bool) {
    self.wish = wish
    self.allowsFractions = allowsFractions
  }

  /// The scale to draw at.
  var value: Scale {
    let whole = Scale(in120ths: 120 * min(max(preferred ?? ofOutputs, 1), 100))
    let best = wish ?? fractional ?? whole
    return allowsFractions ? best : Scale(in120ths: best.ceiling * 120)
  }
}
