/// An image of a surface with its subsurfaces, or of all windows.
package struct Screenshot {
  package let size: PixelSize
  /// The pixels as premultiplied 0xAARRGGBB, top row first.
  package internal(set) var pixels: [UInt32]
  /// Whether something lies beyond the size that an image may have, and is left out.
  package internal(set) var isCropped = false
}

/// What windows show at one moment: the copies of pixels that the stage has anyway, and where they lie. It shares them, so that keeping one
/// copies no pixel; only drawing does.
package struct StageScene {
  /// A surface of a window: its pixels, nil for one that is rotated or cropped, which the stage does not draw; and its place in logical points
  /// from the top left of the window's surface.
  fileprivate struct Layer {
    let picture: BufferCopy?
    let frame: Rect
    /// The factor for the alpha of every pixel; UInt32.max is 1.
    let multiplier: UInt32
  }

  /// A window with its subsurfaces and popups, lowest first, and the pixels of its own buffer for each logical point: of a single pixel that
  /// is stretched, those that the client was asked for.
  fileprivate struct Window {
    var layers: [Layer] = []
    let scale: Point
  }

  fileprivate var windows: [Window] = []

  /// Whether it shows nothing.
  package var isEmpty: Bool { windows.isEmpty }
  /// Whether it has a surface that is rotated or cropped, and drawn as a dark rectangle.
  package var hasUndrawn: Bool { windows.contains { $0.layers.contains { $0.picture == nil } } }
}

extension Stage {
  /// What the windows show now.
  package var scene: StageScene {
    var scene = StageScene()
    for window in toplevels {
      guard var found = self.window(window.surface) else { continue }
      for popup in popups where popup.surface.isMapped && !popup.isDismissed && popup.surface.root === window.surface {
        add(popup.surface, at: popup.surface.origin - window.surface.origin, to: &found.layers)
      }
      scene.windows.append(found)
    }
    return scene
  }

  /// The image of a surface with its subsurfaces, in the pixels of its own buffer; one of a single pixel that is stretched has those that the
  /// client was asked for. Returns nil if it shows no buffer, or if one of the surfaces is rotated or cropped, which the stage does not draw.
  package func screenshot(of surface: StageSurface) -> Screenshot? {
    guard let size = surface.pixelSize, let window = window(surface),
      window.layers.allSatisfy({ $0.picture != nil })
    else { return nil }
    var image = Screenshot(size: size, pixels: [UInt32](repeating: 0, count: size.area))
    for layer in window.layers { image.draw(layer, window.scale) }
    return image
  }

  /// A surface with its subsurfaces; nil if it shows nothing.
  private func window(_ surface: StageSurface) -> StageScene.Window? {
    guard let size = surface.pixelSize, surface.logicalSize.width > 0, surface.logicalSize.height > 0 else {
      return nil
    }
    var window = StageScene.Window(
      scale: Point(
        x: Double(size.width) / surface.logicalSize.width, y: Double(size.height) / surface.logicalSize.height))
    add(surface, at: .zero, to: &window.layers)
    return window
  }

  /// Adds a tree of surfaces with its top-left corner at `place`.
  private func add(_ surface: StageSurface, at place: Point, to layers: inout [StageScene.Layer]) {
    for layer in surface.state.stack {
      if let child = layer.subsurface {
        add(child.surface, at: place + layer.place, to: &layers)
      } else if let picture = surface.picture {
        let isPlain = surface.state.transform == .normal && surface.state.source == nil
        layers.append(
          StageScene.Layer(
            picture: isPlain ? picture : nil, frame: Rect(origin: place, size: surface.logicalSize),
            multiplier: surface.state.multiplier))
      }
    }
  }
}

extension StageSurface {
  /// The size of its image in pixels: that of its buffer, or of the buffer that a client would make that did not stretch a single pixel; nil
  /// if it shows nothing.
  fileprivate var pixelSize: PixelSize? {
    guard let picture, buffer?.isSinglePixel == true else { return picture?.size }
    let size = preferredScale.pixelSize(logicalSize)
    let (width, height) = (min(size.width, 16_384), min(size.height, 16_384))
    return size.isEmpty ? picture.size : PixelSize(width: width, height: height)
  }
}

extension StageScene {
  /// The space between windows in pixels.
  private static let gap = 8
  /// The most pixels of a popup to the left of its window, or above it.
  private static let margin = 1024

  /// The windows side by side over `ground`, each in the pixels of its own buffer; an empty image if there is none. What lies beyond `side`
  /// pixels is left out: a client may ask for a popup anywhere.
  package func drawn(over ground: UInt32, atMost side: Int) -> Screenshot {
    var places: [(window: Window, x: Int, y: Int)] = []
    var size = PixelSize.zero
    var isCropped = false
    for window in windows {
      let frames = window.layers.map { $0.frame.pixels(window.scale) }
      let left = max(-Self.margin, frames.map(\.left).min() ?? 0), top = max(-Self.margin, frames.map(\.top).min() ?? 0)
      let right = frames.map(\.right).max() ?? 0, bottom = frames.map(\.bottom).max() ?? 0
      let x = size.isEmpty ? 0 : size.width + Self.gap
      let (width, height) = (right - left, bottom - top)
      isCropped = isCropped || x + width > side || height > side || left == -Self.margin || top == -Self.margin
      guard width > 0, height > 0, x < side else { continue }
      places.append((window, x - left, -top))
      size = PixelSize(width: min(side, x + width), height: max(size.height, min(side, height)))
    }
    var image = Screenshot(
      size: size, pixels: [UInt32](repeating: ground, count: size.area), isCropped: isCropped)
    for place in places {
      for layer in place.window.layers { image.draw(layer, place.window.scale, movedBy: (place.x, place.y)) }
    }
    return image
  }
}

extension Rect {
  /// The edges in pixels at a number of pixels per point.
  fileprivate func pixels(_ scale: Point) -> (left: Int, top: Int, right: Int, bottom: Int) {
    (
      Int((minX * scale.x).rounded()), Int((minY * scale.y).rounded()), Int((maxX * scale.x).rounded()),
      Int((maxY * scale.y).rounded())
    )
  }
}

extension Screenshot {
  /// What stands for a surface that the stage does not draw.
  private static let undrawn: UInt32 = 0xff40_4040

  /// Draws a surface over the present pixels, stretched to its frame by the nearest pixels.
  fileprivate mutating func draw(
    _ layer: StageScene.Layer, _ scale: Point, movedBy offset: (x: Int, y: Int) = (0, 0)
  ) {
    var (left, top, right, bottom) = layer.frame.pixels(scale)
    (left, top, right, bottom) = (left + offset.x, top + offset.y, right + offset.x, bottom + offset.y)
    let columns = max(0, left)..<max(0, left, min(size.width, right))
    let rows = max(0, top)..<max(0, top, min(size.height, bottom))
    guard let picture = layer.picture else {
      for y in rows { for x in columns { pixels[y * size.width + x] = Self.undrawn } }
      return
    }
    let opaque: UInt32 = picture.hasAlpha ? 0 : 0xff00_0000
    let multiplier = layer.multiplier
    let sources = columns.map { ($0 - left) * picture.size.width / (right - left) }
    for y in rows {
      let row = (y - top) * picture.size.height / (bottom - top) * picture.size.width
      var index = y * size.width + columns.lowerBound
      for source in sources {
        var new = picture.words[row + source] | opaque
        if multiplier != .max { new = Screenshot.faded(new, by: multiplier) }
        pixels[index] = new >> 24 == 0xff ? new : Screenshot.over(new, pixels[index])
        index += 1
      }
    }
  }

  /// A premultiplied pixel whose alpha is multiplied by `factor`; UInt32.max is 1.
  private static func faded(_ pixel: UInt32, by factor: UInt32) -> UInt32 {
    var result: UInt32 = 0
    for shift: UInt32 in [0, 8, 16, 24] {
      let part = UInt64(pixel >> shift & 0xff) * UInt64(factor)
      result |= UInt32((part + 0x7fff_ffff) / 0xffff_ffff) << shift
    }
    return result
  }

  /// One premultiplied pixel over another.
  private static func over(_ new: UInt32, _ old: UInt32) -> UInt32 {
    let rest = 255 - (new >> 24)
    var result: UInt32 = 0
    for shift: UInt32 in [0, 8, 16, 24] {
      let sum = (new >> shift & 0xff) + ((old >> shift & 0xff) * rest + 127) / 255
      result |= min(sum, 255) << shift
    }
    return result
  }
}
