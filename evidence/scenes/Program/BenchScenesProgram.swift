import BenchScenes
import Controls
import Shell

/// Shows one scene in a window: `bench-scenes SCENE [--size WxH]`.
@main enum Main {
  static func main() throws {
    var words = CommandLine.arguments.dropFirst()
    guard let scene = words.popFirst().flatMap(BenchScene.init(rawValue:)) else {
      print("usage: bench-scenes SCENE [--size WxH]; the scenes:")
      for scene in BenchScene.allCases { print("  \(scene.rawValue)") }
      return
    }
    let sides = words.popFirst() == "--size" ? words.popFirst()?.split(separator: "x").compactMap { Double($0) } : nil
    var size = Size(width: 800, height: 480)
    if let sides, sides.count == 2 { size = Size(width: sides[0], height: sides[1]) }
    let stage = SceneStage(scene, size: size)
    let application = try Application()
    var options = WindowOptions(title: scene.rawValue, applicationID: "org.example.BenchScenes", size: size)
    options.hasDecoration = false
    application.openWindow(content: stage.root, options: options)
    try application.run()
    withExtendedLifetime(stage) {}
  }
}
