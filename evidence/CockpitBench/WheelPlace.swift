import CockpitControls
import Controls
import Foundation
import Stage
import UICore

/// A client's view tree (`--dump-tree`).
struct ViewTree {
  private let tree: Any

  /// The tree that the program prints; nil if it fails or prints no JSON.
  init?(of client: ClientSpecification, size: PixelSize) {
    let words = client.words + ["--dump-tree", "--size", size.text]
    guard let data = Child.run(words) else { return nil }
    self.init(data)
  }

  /// Reads a printed tree; nil if it is not JSON.
  init?(_ data: Data) {
    guard let tree = try? JSONSerialization.jsonObject(with: data) else { return nil }
    self.tree = tree
  }

  /// The frame, in points of the window, of the first view whose type's name contains `type`.
  func frame(of type: String) -> Rect? { ViewTree.frame(of: type, in: tree) }

  private static func frame(of type: String, in value: Any) -> Rect? {
    if let list = value as? [Any] { return list.lazy.compactMap { frame(of: type, in: $0) }.first }
    guard let object = value as? [String: Any] else { return nil }
    guard let name = object["type"] as? String, name.contains(type), let edges = object["frame"] as? [String: Double],
      let x = edges["x"], let y = edges["y"], let width = edges["width"], let height = edges["height"]
    else { return object.values.lazy.compactMap { frame(of: type, in: $0) }.first }
    return Rect(x: x, y: y, width: width, height: height)
  }
}

/// A wheel's circle in logical points of the window.
struct WheelPlace: Sendable {
  var center: Point
  var radius: Double

  /// The positions that a finger goes through, in degrees from the top: to the right, and back between those, so that no two are
  /// equal.
  static let positions: [Double] = {
    let right = (0..<32).map { -40 + 2.5 * Double($0) }
    let left = (0..<32).map { 38.75 - 2.5 * Double($0) }
    return right + left
  }()

  /// A point in the middle of the rim, `degrees` clockwise from the top.
  func rim(_ degrees: Double) -> Point {
    let turned = (degrees - 90) * .pi / 180
    return Point(x: center.x + cos(turned) * radius * 0.93, y: center.y + sin(turned) * radius * 0.93)
  }
}

/// The positions that fingers touch, in logical points of the window.
struct Places: Sendable {
  var wheel: WheelPlace
  /// The lever's positions from neutral up to the fastest gear; empty without a lever.
  var lever: [Point] = []
}

extension Places {
  /// The positions in a printed view tree; nil without a wheel.
  init?(tree: ViewTree) {
    guard let frame = tree.frame(of: "SteeringWheel"), frame.width > 0 else { return nil }
    wheel = WheelPlace(center: frame.center, radius: min(frame.width, frame.height) / 2)
    guard let gearbox = tree.frame(of: "ThrottleGearbox") else { return }
    let gate = GearboxGeometry(size: gearbox.size, fit: .filling)
    lever = (0...gate.row(of: .neutral)).reversed().map {
      Point(x: gearbox.midX, y: gearbox.minY + gate.y(ofRow: $0))
    }
  }

  /// The positions in a window of `size` of the client.
  init(of client: ClientSpecification, size: PixelSize) throws(BenchError) {
    guard let places = ViewTree(of: client, size: size).flatMap(Places.init(tree:)) else {
      throw .client(name: client.name, "names no SteeringWheel in --dump-tree --size \(size.text)")
    }
    self = places
  }
}

/// Rows of pixels through the wheel at known positions, which identify its position in later images.
///
/// A commit does not name the motion that it shows; its pixels do. The wheel is first turned slowly through every position to
/// learn the images. Then each commit of a drag is compared with those of the latest motions.
struct Fingerprints {
  private let rows: [Int]
  private let columns: Range<Int>
  private var known: [Int: [UInt32]] = [:]

  /// Fingerprints of images of `size` with a wheel at `place`.
  init(_ place: WheelPlace, size: PixelSize) {
    let left = max(0, Int(place.center.x - place.radius))
    columns = left..<max(left, min(size.width, Int(place.center.x + place.radius)))
    rows = stride(from: -0.8, through: 0.8, by: 0.16).map { Int(place.center.y + $0 * place.radius) }
      .filter { (0..<size.height).contains($0) }
  }

  /// Learns `buffer` as the image of `position`.
  mutating func learn(_ position: Int, from buffer: StageBuffer) { known[position] = sample(buffer) }

  /// The number of different images.
  var distinctCount: Int { Set(known.values).count }

  /// The position among `candidates` whose image `buffer` resembles most; the first of equal ones.
  func position(of buffer: StageBuffer, among candidates: [Int]) -> Int? {
    let shown = sample(buffer)
    let differences = candidates.compactMap { position in
      known[position].map { (position, zip($0, shown).reduce(0) { $0 + ($1.0 == $1.1 ? 0 : 1) }) }
    }
    return differences.min { $0.1 < $1.1 }?.0
  }

  private func sample(_ buffer: StageBuffer) -> [UInt32] {
    rows.flatMap { row in
      guard let pixels = buffer.pixels(inRow: row) else { return [UInt32]() }
      return columns.map { pixels[$0] }
    }
  }
}

/// The motions of a drag that no commit has shown yet. Motions are numbered; each goes to the next of the wheel's positions.
struct ShownMotions {
  private let prints: Fingerprints
  private let first: Int
  private var waiting: [(number: Int, time: Int64)] = []

  /// The motions from number `first` of a client whose images are known.
  init(_ prints: Fingerprints, first: Int) { (self.prints, self.first) = (prints, first) }

  /// Notes that motion `number` is being sent.
  mutating func sent(_ number: Int) { waiting.append((number, Time.now)) }

  /// The times at which those motions were sent that `buffer` is the first to show, or to show a later one of. `latest` is the
  /// number of the last motion that was sent.
  mutating func committed(_ buffer: StageBuffer, latest: Int) -> [Int64] {
    let count = WheelPlace.positions.count
    let candidates = (max(first, latest - 4)..<latest + 1).reversed()
    guard let position = prints.position(of: buffer, among: candidates.map { $0 % count }),
      let shown = candidates.first(where: { $0 % count == position })
    else { return [] }
    defer { waiting.removeAll { $0.number <= shown } }
    return waiting.filter { $0.number <= shown }.map(\.time)
  }
}
