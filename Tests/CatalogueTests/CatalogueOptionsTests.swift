import Controls
import Glibc
import TestSupport
import Testing

@testable import cockpit_catalogue

/// Tests of the command line, as tables and as a shell runs the program without a display.
@MainActor @Suite(.serialized) struct CatalogueOptionsTests {
  @Test func `a good command line`() throws {
    var expected = try CatalogueOptions([])
    (expected.size, expected.scale) = (Size(width: 800, height: 600), Scale(1.5))
    (expected.isFullscreen, expected.dumpsTree, expected.looksLikeArticle) = (true, true, true)
    (expected.screenshot, expected.log) = ("a=b.png", "app")
    let line = "--size 800x600 --scale=1.5 --fullscreen --article --screenshot a=b.png --dump-tree --log=app"
    #expect(try CatalogueOptions(line.split(separator: " ").map(String.init)) == expected)
  }

  @Test(arguments: [
    "--size", "--size 8", "--size 0x600", "--size 8001x8", "--size 8x8x8", "--size 8xax8", "--scale nan", "--scale=5",
    "--fullscreen=yes", "--screenshot=", "--log", "--demo", "-x", "a.json", "=",
  ])
  func `an error is one line that names its word`(line: String) {
    let words = line.split(separator: " ").map(String.init)
    let error = #expect(throws: CatalogueError.self) { try CatalogueOptions(words) }
    let name = words.first?.split(separator: "=").first ?? "="
    #expect(error?.exitCode == 2 && error?.description.contains(name) == true, "\(String(describing: error))")
    #expect(error?.description.contains("\n") == false)
  }

  @Test func `the help names every option and fits a terminal`() {
    for name in ["size", "scale", "fullscreen", "article", "screenshot", "dump-tree", "log", "help"] {
      #expect(CatalogueOptions.help.contains("\n  --\(name) "))
    }
    for line in CatalogueOptions.help.split(separator: "\n") { #expect(line.count <= 100, "\(line)") }
    #expect(CatalogueOptions.help.hasSuffix("\n") && !CatalogueOptions.help.hasSuffix("\n\n"))
  }

  @Test func `the program draws without a display, and says why it shows no window`() throws {
    let file = "/tmp/cockpit-catalogue-\(getpid()).png"
    defer { unlink(file) }
    let (tree, status) = try Product.catalogue.run("--size 480x320 --scale 2 --screenshot \(file) --dump-tree")
    #expect(status == 0 && tree.contains("\"CatalogueScene\"") && tree.contains("RangeSlider"))
    let size = try PNG.read(contentsOf: file) { $0.size }
    #expect(size == PixelSize(width: 960, height: 640))
    let window = try Product.catalogue.run("")
    #expect(window.status == 1 && window.output.hasPrefix("cockpit-catalogue: "), "\(window)")
    #expect(
      try Product.catalogue.run("--screenshot /nowhere/a.png") == (
        "cockpit-catalogue: cannot write /nowhere/a.png\n", 1
      ))
    let unknown = try Product.catalogue.run("--demo")
    #expect(
      unknown == ("cockpit-catalogue: unknown option '--demo'; cockpit-catalogue --help lists all options\n", 2))
    #expect(try Product.catalogue.run("--log nothing").status == 2)
  }
}
