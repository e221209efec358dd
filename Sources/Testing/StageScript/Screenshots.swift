import Glibc
import JSON
import Linux
import PNGFiles
import Stage

extension ClientRun {
  func screenshot(_ arguments: StepArguments) throws(StepFailure) -> StepKind.Reply {
    let name = arguments.text("name") ?? ""
    guard !name.isEmpty, !name.hasPrefix("."), !name.utf8.contains(UInt8(ascii: "/")), !name.utf8.contains(0) else {
      throw StepFailure("\"\(name)\" is no name of a file")
    }
    let surface: StageSurface
    if let index = arguments.whole("popup") {
      guard stage.popups.indices.contains(index) else { throw StepFailure("there is no popup \(index)") }
      surface = stage.popups[index].surface
    } else {
      surface = try toplevel(arguments).surface
    }
    guard let image = stage.screenshot(of: surface) else {
      throw StepFailure(surface.isMapped ? "the window is rotated or cropped" : "the window shows nothing")
    }
    let folder = folders.output ?? "."
    let path = "\(folder)/\(name).png"
    unsafe mkdir(folder, 0o777)
    guard Screenshots.write(image.pixels, image.size, to: path) else {
      throw StepFailure("can't write \(path): \(systemMessage(errno))")
    }
    let reference = arguments.text("against") ?? folders.against.map { "\($0)/\(name).png" }
    let difference = "\(folder)/\(name).difference.png"
    var isEqual = false
    defer { watcher?.took(name, path, reference: reference, difference: difference, isEqual: isEqual) }
    if let reference { try Screenshots.compare(path, with: reference, difference: difference) }
    isEqual = true
    return [
      "path": .string(path), "width": .number(Double(image.size.width)), "height": .number(Double(image.size.height)),
    ]
  }
}

/// Images of windows in files.
enum Screenshots {
  /// Writes premultiplied 0xAARRGGBB pixels as a PNG file; returns false if that fails.
  static func write(_ pixels: [UInt32], _ size: PixelSize, to path: String) -> Bool {
    PNGWriter.write(PNG.encoded(pixels, size), to: path)
  }

  /// Compares two files pixel by pixel. If they differ, writes an image in which the different pixels are red and the others faint.
  static func compare(_ path: String, with reference: String, difference: String) throws(StepFailure) {
    let new = try read(path), old = try read(reference)
    guard new.size == old.size else {
      throw StepFailure(
        "\(new.size.width) x \(new.size.height) pixels, not \(old.size.width) x \(old.size.height) as in \(reference)")
    }
    let different = new.pixels.indices.filter { new.pixels[$0] != old.pixels[$0] }
    guard let first = different.first else {
      // The image of an earlier run would say the opposite.
      unsafe unlink(difference)
      return
    }
    var marked = new.pixels.map { pixel in 0xff00_0000 | (pixel >> 2 & 0x3f3f3f) + 0xc0c0c0 }
    for index in different { marked[index] = 0xffff_0000 }
    _ = write(marked, new.size, to: difference)
    throw StepFailure(
      "\(different.count) of \(new.pixels.count) pixels differ from \(reference), the first at (\(first % new.size.width), \(first / new.size.width)); \(difference) shows them"
    )
  }

  private static func read(_ path: String) throws(StepFailure) -> (size: PixelSize, pixels: [UInt32]) {
    do {
      return try PNG.read(contentsOf: path) { ($0.size, $0.pixels) }
    } catch {
      throw StepFailure("\(error)")
    }
  }
}
