import ControlHarness
import Testing

@testable import CockpitControls
@testable import ControlTools
@testable import Controls
@testable import WindowDecoration

/// An action of a handler on the control that called it.
enum Interruption: String, CaseIterable {
  case disable, hide, remove, disableAndEnable, hideAndShow, removeAndPutBack, cancelInput, takeKeysAway

  @MainActor func strike(_ control: Control, in root: RootView) {
    switch self {
    case .disable: control.isEnabled = false
    case .hide: control.isHidden = true
    case .remove: control.removeFromSuperview()
    case .disableAndEnable:
      control.isEnabled = false
      control.isEnabled = true
    case .hideAndShow:
      control.isHidden = true
      control.isHidden = false
    case .removeAndPutBack:
      control.removeFromSuperview()
      root.addSubview(control)
    case .cancelInput: root.cancelInput()
    case .takeKeysAway: root.setFirstResponder(nil)
    }
  }
}

/// A control in a window with every kind of input, and notes of its events.
@MainActor private final class Scene {
  let control: Control
  let root = RootView()
  let host = ManualHost()
  var events: [Control.Event] = []
  /// Called for each event before anybody else hears of it.
  var onEvent: ((Control.Event) -> Void)?
  private var down: [Int: Point] = [:]

  init(_ control: Control) {
    self.control = control
    FontLibrary.shared = ControlHarness.fonts
    root.host = host
    root.handle(.willEnterForeground)
    root.handle(.didBecomeActive)
    root.resize(to: Size(width: 240, height: 320), scale: .one)
    control.frame = Rect(x: 20, y: 10, width: 200, height: 300)
    root.addSubview(control)
    for (_, _, event) in Control.Event.named {
      control.addAction(for: event) { [unowned self] _ in onEvent?(event) }
      control.addAction(for: event) { [unowned self] _ in events.append(event) }
    }
    frame()
  }

  func frame() {
    host.now = host.now + .milliseconds(17)
    root.prepareFrame(for: host.now)
    _ = root.takeDamage()
    check()
  }

  /// The invariant between events: a control that can't be held is not held.
  private func check() {
    guard !control.isEnabled || control.isHidden || control.root == nil else { return }
    expectFree("taken away")
  }

  /// No control is held.
  func expectFree(_ when: String) {
    var views: [View] = [control]
    while let view = views.popLast() {
      views += view.subviews
      guard let part = view as? Control else { continue }
      #expect(
        part.trackedTouches.isEmpty && !part.isHighlighted && !part.isTouchInside, "\(type(of: part)) is held, \(when)")
      #expect(!part.isBeingEdited, "\(type(of: part)) is edited, \(when)")
    }
    if let thumb = control.subviews.first(where: { $0 is SliderThumb }) as? SliderThumb {
      #expect(!thumb.look.isHighlighted, "\(when)")
    }
    switch control {
    case let control as SteeringWheel: #expect(!control.model.isHeld && control.heldDirection == nil, "\(when)")
    case let control as Slider: #expect(!control.model.isHeld, "\(when)")
    case let control as RangeSlider: #expect(!control.model.isHeld, "\(when)")
    case let control as Horn: #expect(!control.isSounding, "\(when)")
    default: break
    }
  }

  /// Where a finger reaches the control or something inside.
  private var places: [Point] {
    var places: [Point] = []
    for y in stride(from: 12.0, to: 310, by: 9) {
      for x in stride(from: 22.0, to: 220, by: 9) {
        let place = Point(x: x, y: y)
        if root.hitTest(place)?.isDescendant(of: control) == true { places.append(place) }
      }
    }
    return places
  }

  private func send(_ points: [(TouchPoint.Phase, Point, Int)]) {
    root.handle(
      .touches(
        points.map { TouchPoint(id: ControlHarness.touchID($0.2), phase: $0.0, location: $0.1, time: host.now) }))
    frame()
  }

  private func key(_ phase: KeyEvent.Phase, _ key: Key) {
    root.handle(.key(KeyEvent(seat: ControlHarness.seat, phase: phase, key: key, modifiers: [], time: host.now)))
    frame()
  }

  /// Two fingers together and one after the other, taps, and keys that are pressed, repeated, held together and cancelled.
  func act(fingers: Int) {
    // What an answer closed, or who went back.
    (control as? ModalView)?.isOpen = true
    (control as? PageView)?.selectedIndex = 2
    frame()
    let places = places
    guard let first = places.first, let last = places.last else { return }
    let middle = places[places.count / 2]
    let numbers = Array(0..<fingers)
    for end in [TouchPoint.Phase.ended, .cancelled] {
      for start in [middle, last, first] {
        send(numbers.map { (.began, $0 == 0 ? start : first, $0) })
        for way in [6.0, 25, 90, 400, 12] {
          send(numbers.map { (.moved, Point(x: start.x - way, y: start.y - way / 2), $0) })
        }
        for number in numbers { send([(end, Point(x: start.x - 12, y: start.y - 6), number)]) }
        // A tap.
        send([(.began, start, 0)])
        send([(.ended, start, 0)])
      }
    }
    var focused: [View] = []
    func collect(_ view: View) {
      if view.canBecomeFirstResponder { focused.append(view) }
      view.subviews.forEach(collect)
    }
    collect(control)
    for view in focused {
      for keys in [[Key.space], [.left, .right], [.up], [.home, .space], [.character("a"), .enter], [.escape]] {
        view.becomeFirstResponder()
        for end in [KeyEvent.Phase.up, .cancelled] {
          for each in keys { key(.down, each) }
          for each in keys { key(.repeated, each) }
          for each in keys { key(end, each) }
        }
      }
    }
    root.setFirstResponder(nil)
    frame()
  }

  /// The notes are complete: an end for each begin, and before the next begin.
  func expectBalance() {
    var isEdited = false
    var fingers = 0
    for event in events {
      switch event {
      case .editingDidBegin:
        #expect(!isEdited, "a begin within a begin")
        isEdited = true
      case .editingDidEnd, .editingDidCancel:
        #expect(isEdited, "an end without a begin")
        isEdited = false
      case .touchDown: fingers += 1
      case .touchUpInside, .touchUpOutside: fingers -= 1
      // A cancelled key sends the same events as a cancelled finger.
      case .touchCancel: fingers = max(fingers - 1, 0)
      default: break
      }
    }
    #expect(!isEdited, "a begin without an end")
    #expect(fingers == 0, "a finger down without an end")
  }

  /// The notes on fingers and editing, without values.
  func take() -> [Control.Event] {
    defer { events = [] }
    return events.filter { $0 != .valueChanged && $0 != .primaryActionTriggered }
  }
}

@MainActor @Suite(.serialized) struct InterruptionTests {
  /// Every control that layout files may name, and those that only stand inside of others.
  private static let makers: [String: () -> Control] = {
    var makers: [String: () -> Control] = [
      "ColorBar": { ColorField(.hue) }, "ColorPlane": { ColorField(.plane) },
      "DecorationButton": { DecorationButton(.close) },
      "OutlineList": {
        let list = OutlineList()
        list.items = [OutlineItem(id: 1, title: "one"), OutlineItem(id: 2, title: "two")]
        return list
      },
    ]
    let registry = ViewRegistry.everyControl
    for name in registry.typeNames where registry.makeView(name) is Control {
      makers[name] = { registry.makeView(name) as? Control ?? Control() }
    }
    return makers
  }()

  private static let types = makers.keys.sorted()

  private func scene(_ type: String, fingers: Int) throws -> Scene {
    let make = try #require(Self.makers[type])
    let control = make()
    if control is ChoiceControl || control is RadioGroup {
      (control as? SelectionControl)?.titles = ["one", "two", "three"]
    }
    if let list = control as? ListView { list.texts = ["one", "two", "three"] }
    if control is TabView { for _ in 0..<3 { control.contentHost.addSubview(View()) } }
    if let pages = control as? PageView {
      for _ in 0..<3 { pages.contentHost.addSubview(View()) }
      pages.selectedIndex = 2
    }
    if let modal = control as? ModalView { modal.isOpen = true }
    if let wheel = control as? SteeringWheel { wheel.springsBack = false }
    if fingers > 1 { control.isMultipleTouchEnabled = true }
    return Scene(control)
  }

  @Test(
    "behaviour 1: whatever a handler does to its control, nothing stays held, and each begin has one end",
    arguments: await InterruptionTests.types)
  func interrupted(type: String) throws {
    for fingers in [1, 2] {
      let calm = try scene(type, fingers: fingers)
      calm.act(fingers: fingers)
      calm.expectFree("undisturbed")
      calm.expectBalance()
      let said = Set(calm.events)
      // A picture takes no touches unless code says so.
      #expect(!said.isEmpty || type == "ImageView")
      for event in said.sorted(by: { $0.rawValue < $1.rawValue }) {
        for interruption in Interruption.allCases {
          let scene = try scene(type, fingers: fingers)
          var isStruck = false
          scene.onEvent = { [unowned scene] in
            guard $0 == event, !isStruck else { return }
            isStruck = true
            interruption.strike(scene.control, in: scene.root)
          }
          scene.act(fingers: fingers)
          let what = "\(interruption.rawValue) at \(Control.Event.named.first { $0.event == event }?.name ?? "")"
          #expect(isStruck)
          scene.expectFree(what)
          scene.expectBalance()
          if event == .editingDidBegin, [.disable, .hide, .remove].contains(interruption) {
            let after = scene.events.drop { $0 != .editingDidBegin }
            #expect(!after.contains(.valueChanged), "\(what), and the value goes where the finger is all the same")
          }
          #expect(scene.root.keyDispatcher.isIdle, "\(what)")
          // As good as new.
          scene.control.isEnabled = true
          scene.control.isHidden = false
          if scene.control.root == nil { scene.root.addSubview(scene.control) }
          scene.frame()
          scene.events = []
          scene.act(fingers: fingers)
          scene.expectFree("again after \(what)")
          scene.expectBalance()
          // What is selected already is not selected again.
          #expect(!scene.events.isEmpty || type == "OutlineList")
        }
      }
    }
  }

  @Test func `everybody hears of a begin before anybody hears of its end`() {
    let slider = Slider(frame: Rect(x: 0, y: 0, width: 200, height: 31))
    let harness = ControlHarness(slider, size: Size(width: 200, height: 31))
    var heard: [String] = []
    slider.addAction(for: .editingDidBegin) { $0.isEnabled = false }
    slider.addAction(for: .editingDidBegin) { _ in heard.append("begin") }
    slider.addAction(for: [.editingDidEnd, .editingDidCancel]) { _ in heard.append("end") }
    harness.drag(from: Point(x: 50, y: 15), to: Point(x: 90, y: 15))
    #expect(heard == ["begin", "end"])
  }

  /// A control of one's own that refuses fingers while it says that they edit it, or lets them go in the middle.
  private final class Fickle: Control {
    var begins = true
    var continues = true
    override var isBeingEdited: Bool { isTracking }
    override func beginTracking(_ touch: Touch) -> Bool { begins }
    override func continueTracking(_ touch: Touch) -> Bool { continues }
  }

  @Test(arguments: [true, false])
  func `a control that lets go of a finger itself has said an end for its begin`(refuses: Bool) {
    let control = Fickle()
    (control.begins, control.continues) = (!refuses, false)
    let harness = ControlHarness(control, size: Size(width: 50, height: 50))
    var heard: [String] = []
    control.addAction(for: .editingDidBegin) { _ in heard.append("begin") }
    control.addAction(for: .editingDidEnd) { _ in heard.append("end") }
    control.addAction(for: .editingDidCancel) { _ in heard.append("cancel") }
    harness.drag(from: Point(x: 10, y: 10), to: Point(x: 30, y: 30))
    #expect(heard == ["begin", "cancel"])
    #expect(!control.isTracking && !control.isHighlighted)
  }

  @Test func `a finger that is let go of is not told to the views around as if it had begun there`() {
    let log = Log()
    let outer = ProbeView()
    (outer.name, outer.log, outer.takesTouches) = ("outer", log, true)
    let control = Fickle(frame: Rect(x: 0, y: 0, width: 50, height: 50))
    control.continues = false
    outer.addSubview(control)
    let harness = ControlHarness(outer, size: Size(width: 50, height: 50))
    harness.drag(from: Point(x: 10, y: 10), to: Point(x: 30, y: 30))
    #expect(log.take() == [])
  }

  @Test(arguments: Interruption.allCases)
  func `a scroll view that is taken away by who hears of its drag is not dragged`(interruption: Interruption) {
    let scroll = ScrollView()
    scroll.contentSize = Size(width: 100, height: 900)
    let harness = ControlHarness(scroll, size: Size(width: 100, height: 100))
    var heard: [String] = []
    let token = scroll.observeScrolling { [unowned scroll] event in
      if case .didEndDragging = event { heard.append("end") }
      guard case .willBeginDragging = event else { return }
      heard.append("begin")
      switch interruption {
      case .hide: scroll.isHidden = true
      case .remove: scroll.removeFromSuperview()
      case .hideAndShow:
        scroll.isHidden = true
        scroll.isHidden = false
      case .cancelInput: scroll.root?.cancelInput()
      case .disable: scroll.isUserInteractionEnabled = false
      default: break
      }
    }
    harness.drag(from: Point(x: 50, y: 90), to: Point(x: 50, y: 10))
    harness.settle()
    #expect(heard == ["begin", "end"] && !scroll.isDragging)
    token.remove()
  }
}
