import ScreenshotTesting

/// An image in which the mark that owns each pixel is known, for measuring contrast, gaps and bands.
nonisolated package struct OwnedPicture: Sendable {
  /// The relation of a mark to the marks around it.
  package enum Role: Sendable {
    /// An area that other marks are drawn on.
    case ground
    /// An area with a gradient. Bands are searched only there.
    case gradient
    /// A line or an icon, which has edges of its own.
    case line
    /// A text.
    case text
  }

  /// The pixels, 0xAARRGGBB.
  package let picture: Snapshot
  /// Row by row, the number of each pixel's mark, from 1; 0 if no mark owns it.
  package let owners: [UInt32]
  /// The role of each mark, in the order of their numbers.
  package let roles: [Role]
  /// Row by row, numbers that change at the edge of any mark, including faint marks that own nothing.
  private let strata: [UInt32]

  /// An image with an owner for each pixel. `strata` are numbers that change at the edge of any mark; nil if `owners` do.
  package init(_ picture: Snapshot, owners: [UInt32], strata: [UInt32]? = nil, roles: [Role]) {
    precondition(owners.count == picture.pixels.count, "each pixel has an owner or 0")
    (self.picture, self.owners, self.strata, self.roles) = (picture, owners, strata ?? owners, roles)
  }

  private var width: Int { picture.size.width }
  private var height: Int { picture.size.height }

  private func role(_ owner: UInt32) -> Role { owner == 0 ? .ground : roles[Int(owner) - 1] }

  private func isGround(_ owner: UInt32) -> Bool {
    switch role(owner) {
    case .ground, .gradient: true
    case .line, .text: false
    }
  }

  // MARK: Contrast

  /// The colour that a mark is drawn in.
  package struct Ink: Hashable, Sendable {
    /// The colour, 0xAARRGGBB and opaque.
    package let pixel: UInt32
    /// The opacity, 0...1.
    package let opacity: Double

    /// An ink of a colour and an opacity.
    package init(pixel: UInt32, opacity: Double) { (self.pixel, self.opacity) = (pixel, opacity) }

    /// The colour that results on `ground`.
    fileprivate func over(_ ground: UInt32) -> UInt32 {
      [16, 8, 0].reduce(0xff00_0000) { whole, shift in
        let (a, b) = (Double(ground >> shift & 255), Double(pixel >> shift & 255))
        return whole | UInt32((a + (b - a) * opacity).rounded()) << shift
      }
    }
  }

  /// The visible colours of a mark and of the backgrounds around it.
  package struct Surroundings: Sendable {
    /// The mark's own colour, away from its smoothed edges.
    package let ink: UInt32
    /// The colours of the third pixels beside the mark, from the least contrast to the greatest. Only backgrounds are included,
    /// unless no background is visible there.
    package let grounds: [UInt32]

    /// The contrast that all but `fraction` of the surroundings reach.
    package func contrast(allBut fraction: Double) -> Double {
      Contrast.ratio(ink, grounds[Int(Double(grounds.count - 1) * fraction)])
    }
  }

  /// The visible colours of mark `number` and beside it, on about 48 rows and columns of `box`; nil if the mark is not visible
  /// there.
  ///
  /// Thin lines and small glyphs are smoothed, and never reach the intended colour `meant`, which is the one that WCAG judges.
  /// The result contains `meant` if the purest pixels come at least half of the way to it; otherwise something covers the mark.
  package func surroundings(of number: UInt32, in box: PixelRect, meant: Ink? = nil) -> Surroundings? {
    let box = box.intersection(PixelRect(picture.size))
    guard !box.isEmpty else { return nil }
    var (inks, grounds, others): ([UInt32], [UInt32], [UInt32]) = ([], [], [])
    unsafe owners.withUnsafeBufferPointer { owners in
      unsafe picture.pixels.withUnsafeBufferPointer { pixels in
        func scan(from start: Int, step: Int, _ range: Range<Int>, _ limit: Int) {
          var place = range.lowerBound
          while place < range.upperBound {
            guard unsafe owners[start + place * step] == number else {
              place += 1
              continue
            }
            let first = place
            while place < range.upperBound, unsafe owners[start + place * step] == number { place += 1 }
            unsafe inks.append(pixels[start + (first + place - 1) / 2 * step])
            // Take the third pixel beside the edge, and only if no second edge is near, so that no smoothed pixel is included.
            for outside in [first - 3, place + 2] where outside >= 0 && outside < limit {
              let middle = start + outside * step
              var (isFree, isBare) = (true, true)
              for near in [
                middle - width - 1, middle - width, middle - width + 1, middle - 1, middle, middle + 1,
                middle + width - 1, middle + width, middle + width + 1,
              ]
              where near >= 0 && near < owners.count {
                isFree = unsafe isFree && owners[near] != number
                isBare = unsafe isBare && isGround(owners[near])
              }
              guard isFree else { continue }
              if isBare { unsafe grounds.append(pixels[middle]) } else { unsafe others.append(pixels[middle]) }
            }
          }
        }
        for y in stride(from: box.y, to: box.maxY, by: max(box.height / 48, 1)) {
          scan(from: y * width, step: 1, box.x..<box.maxX, width)
        }
        for x in stride(from: box.x, to: box.maxX, by: max(box.width / 48, 1)) {
          scan(from: x, step: width, box.y..<box.maxY, height)
        }
      }
    }
    if grounds.isEmpty { grounds = others }
    guard !inks.isEmpty, !grounds.isEmpty else { return nil }
    let middle = grounds.sorted { Contrast.luminance($0) < Contrast.luminance($1) }[grounds.count / 2]
    let pure = inks.sorted { Contrast.ratio($0, middle) < Contrast.ratio($1, middle) }
    var ink = pure[(pure.count - 1) * 9 / 10]
    if let whole = meant?.over(middle), Snapshot.distance(ink, whole) * 2 <= Snapshot.distance(middle, whole) {
      ink = whole
    }
    return Surroundings(ink: ink, grounds: grounds.sorted { Contrast.ratio($0, ink) < Contrast.ratio($1, ink) })
  }

  // MARK: Gaps

  /// The texts and lines that are nearer than `gap` pixels to text `number`, which is in `box`, each with the number of free
  /// pixels in between.
  package func neighbours(of number: UInt32, in box: PixelRect, within gap: Int) -> [UInt32: Int] {
    let whole = PixelRect(picture.size)
    let near = PixelRect(left: box.x - gap, top: box.y - gap, right: box.maxX + gap, bottom: box.maxY + gap)
      .intersection(whole)
    var found: [UInt32: Int] = [:]
    unsafe owners.withUnsafeBufferPointer { owners in
      for y in near.y..<near.maxY {
        for x in near.x..<near.maxX {
          let other = unsafe owners[y * width + x]
          guard other != number, !isGround(other) else { continue }
          let most = (found[other] ?? gap + 1) - 1
          guard most >= 0 else { continue }
          // Try ever larger squares around the pixel, until one touches the text.
          for distance in 1...(most + 1) {
            guard unsafe touches(number, x, y, distance, owners) else { continue }
            found[other] = min(found[other] ?? .max, distance - 1)
            break
          }
        }
      }
    }
    return found.filter { $0.value < gap }
  }

  private func touches(
    _ number: UInt32, _ x: Int, _ y: Int, _ distance: Int, _ owners: UnsafeBufferPointer<UInt32>
  ) -> Bool {
    for row in max(y - distance, 0)...min(y + distance, height - 1) {
      let isEdge = abs(row - y) == distance
      for column in stride(from: x - distance, through: x + distance, by: isEdge ? 1 : 2 * distance)
      where unsafe column >= 0 && column < width && owners[row * width + column] == number {
        return true
      }
    }
    return false
  }

  /// The greatest contrast between two backgrounds of text `number`, each with at least a tenth of the background's pixels in
  /// `box`; 1 if there are fewer than two. A higher value means that an edge runs through the text.
  package func groundContrast(of number: UInt32, in box: PixelRect) -> Double {
    let box = box.intersection(PixelRect(picture.size))
    var counts: [UInt32: [UInt32: Int]] = [:]
    for y in box.y..<box.maxY {
      for x in box.x..<box.maxX {
        let owner = owners[y * width + x]
        // Backgrounds that were drawn after the text are above the text, not behind it.
        guard owner < number, isGround(owner) else { continue }
        // In steps of four levels, so that a gradient has a most frequent colour too.
        counts[owner, default: [:]][picture.pixels[y * width + x] & 0xfffc_fcfc, default: 0] += 1
      }
    }
    let areas = counts.values.map { $0.values.reduce(0, +) }
    let all = areas.reduce(0, +)
    // Take the most frequent colour of each: the others are the smoothed edges of glyphs.
    let large = zip(areas, counts.values).filter { $0.0 * 10 >= all }.compactMap { area in
      area.1.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
    }
    var most = 1.0
    for (index, a) in large.enumerated() {
      for b in large[(index + 1)...] { most = max(most, Contrast.ratio(a, b)) }
    }
    return most
  }

  // MARK: Bands

  /// A step of a gradient that is visible as the edge of a band.
  package struct Band: Hashable, Sendable {
    /// The pixel after the step.
    package let x: Int
    package let y: Int
    /// The number of equal pixels before it.
    package let run: Int
    /// The greatest change of a colour component, in 255ths.
    package let step: Int
  }

  /// The widest band of gradients on every eighth row and column: a run of more than `run` equal pixels, and then a step of
  /// more than `step`; nil if there is no such band.
  package func widestBand(run: Int = 8, step: Int = 1) -> Band? {
    var widest: Band?
    unsafe strata.withUnsafeBufferPointer { strata in
      unsafe picture.pixels.withUnsafeBufferPointer { pixels in
        func scan(from start: Int, by stride: Int, count: Int) {
          var (length, last, stratum) = (0, UInt32(0), UInt32.max)
          for index in 0..<count {
            let place = start + index * stride
            let pixel = unsafe pixels[place]
            if unsafe strata[place] != stratum {
              (length, stratum) = unsafe (1, strata[place])
            } else if pixel == last {
              length += 1
              continue
            } else {
              let change = length > max(run, widest?.run ?? 0) ? Snapshot.distance(pixel, last) : 0
              if change > step, role(owners[place]) == .gradient, isInside(place) {
                widest = Band(x: place % width, y: place / width, run: length, step: change)
              }
              length = 1
            }
            last = pixel
          }
        }
        /// True if no mark's edge is within two pixels. The step might be the smoothing of such an edge.
        func isInside(_ place: Int) -> Bool {
          let (x, y) = (place % width, place / width)
          guard x >= 2, y >= 2, x < width - 2, y < height - 2 else { return false }
          for row in y - 2...y + 2 {
            for column in x - 2...x + 2 where unsafe strata[row * width + column] != strata[place] { return false }
          }
          return true
        }
        for y in Swift.stride(from: 4, to: height, by: 8) { scan(from: y * width, by: 1, count: width) }
        for x in Swift.stride(from: 4, to: width, by: 8) { scan(from: x, by: width, count: height) }
      }
    }
    return widest
  }
}
