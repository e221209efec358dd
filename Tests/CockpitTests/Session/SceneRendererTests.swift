import ControlHarness
import Controls
import FoundationEssentials
import TestSupport
import Testing
import UICore

@testable import cockpit

@MainActor @Suite(.serialized) struct SceneRendererTests {
  private let files: TemporaryFolder
  private var folder: String { files.path }

  init() throws {
    FontLibrary.shared = ControlHarness.fonts
    files = try TemporaryFolder()
  }

  /// The scene of `options`, written to `path` as they ask.
  @discardableResult private func write(_ options: Options, to path: String?) throws(SessionError) -> CockpitScene {
    let scene = CockpitScene()
    scene.apply(options)
    var options = options
    options.screenshot = path
    #expect(SceneRenderer.isAsked(options))
    try SceneRenderer.writeWhatIsAsked(of: scene, options: options)
    return scene
  }

  @Test func `two pictures of the same options are the same file, byte for byte`() throws {
    var options = Options()
    options.size = Size(width: 640, height: 400)
    options.scale = Scale(1.5)
    for name in ["a", "b"] {
      try write(options, to: "\(folder)/\(name).png")
    }
    let first = FileManager.default.contents(atPath: "\(folder)/a.png")
    #expect(first != nil && first == FileManager.default.contents(atPath: "\(folder)/b.png"))
    #expect((try? PNG.read(contentsOf: "\(folder)/a.png") { $0.size }) == PixelSize(width: 960, height: 600))
  }

  @Test func `a file that can't be written is one clear line`() {
    #expect {
      try write(Options(), to: "\(folder)/none/a.png")
    } throws: {
      "\($0)".contains("cannot write") && !"\($0)".contains("\n")
    }
  }

  @Test func `a picture past all memory is refused`() {
    var options = Options()
    options.size = Size(width: 32767, height: 32767)
    #expect(throws: SessionError.self) {
      try write(options, to: "\(folder)/a.png")
    }
  }

  @Test func `the tree names gearbox and wheel with frames in the window and values`() throws {
    struct Node: Decodable {
      struct Frame: Decodable { var x, y, width, height: Double }
      var type, name: String
      var frame: Frame
      var state: [String]
      var subviews: [Node]
      func find(_ wanted: String) -> Node? {
        name == wanted ? self : subviews.lazy.compactMap { $0.find(wanted) }.first
      }
    }
    var options = Options()
    options.size = Size(width: 800, height: 480)
    options.gear = .forward(4)
    options.dumpsTree = true
    let text = try write(options, to: nil).inspect().jsonText
    let root = try JSONDecoder().decode(Node.self, from: Data(text.utf8))
    let layout = CockpitLayout(size: options.size)
    let gearbox = try #require(root.find("gearbox"))
    #expect(gearbox.type == "ThrottleGearbox" && gearbox.frame.x == layout.gearbox.minX)
    #expect(root.find("wheel")?.frame.width == layout.wheel.width)
    #expect(root.find("horn") != nil && text.contains("\"gear\": \"4\""))
  }
}
