import Controls
import Desktop
import UICore

/// Answers to the calls of AT-SPI's interfaces, by the interface's name.
extension AccessibleTree {
  /// Answers a call; false if no object here knows it.
  func answer(_ request: BusRequest) -> Bool {
    if request.path == Self.cachePath { return answerCache(request) }
    guard let object = object(at: request.path) else {
      request.fail("no such object", named: "org.freedesktop.DBus.Error.UnknownObject")
      return true
    }
    let interface = request.interface
    if interface == "org.freedesktop.DBus.Properties" { return answerProperties(request, of: object) }
    guard interface.hasPrefix("org.a11y.atspi.") else { return false }
    switch interface.dropFirst("org.a11y.atspi.".count) {
    case "Accessible": return answerAccessible(request, object)
    case "Application": return answerApplication(request)
    case "Component": return answerComponent(request, object)
    default: break
    }
    guard case .element(let view) = object else { return false }
    switch interface.dropFirst("org.a11y.atspi.".count) {
    case "Action": return answerAction(request, view)
    case "Text": return answerText(request, view)
    case "EditableText": return answerEditableText(request, view)
    default: return false
    }
  }

  /// Makes the view carry it out, and answers with true or false. The reason of a refusal is announced, and is the object's
  /// description until the next successful request.
  private func carryOut(_ command: AccessibilityCommand, on view: View, _ request: BusRequest) {
    let isDone = isDone(command, on: view)
    request.answer { $0.bool(isDone) }
  }

  private func isDone(_ command: AccessibilityCommand, on view: View) -> Bool {
    do throws(AccessibilityRefusal) {
      // The program may refuse, and record, requests to its own views, but not to the window's title bar or a menu's rows.
      if view.root === root { try carryOut(command, view) } else { try view.carryOut(command) }
      noteRefusal(nil, of: view)
      return true
    } catch {
      noteRefusal(error.reason, of: view)
      return false
    }
  }

  private func answerCache(_ request: BusRequest) -> Bool {
    guard request.interface == "org.a11y.atspi.Cache", request.member == "GetItems" else { return false }
    var objects: [(object: AccessibleObject, index: Int)] = [(.application, -1)]
    var next = 0
    while next < objects.count, objects.count < Self.mostListed {
      let children = children(of: objects[next].object).prefix(Self.mostListed - objects.count)
      objects += children.enumerated().map { ($0.element, $0.offset) }
      next += 1
    }
    request.answer { answer in
      answer.inside("a", "((so)(so)(so)iiassusau)") {
        objects.forEach { answer.cacheItem(of: $0.object, at: $0.index, in: self) }
      }
    }
    return true
  }

  // MARK: Properties

  private func answerProperties(_ request: BusRequest, of object: AccessibleObject) -> Bool {
    let arguments = request.arguments
    let interface = String((arguments.text() ?? "").dropFirst("org.a11y.atspi.".count))
    switch request.member {
    case "Get":
      guard let name = arguments.text(),
        let value = property(interface, name, of: object)
      else {
        request.fail("no such property", named: "org.freedesktop.DBus.Error.UnknownProperty")
        return true
      }
      request.answer { value.write($0, self) }
    case "GetAll":
      request.answer { answer in
        answer.inside("a", "{sv}") {
          for name in Self.propertyNames[interface] ?? [] {
            guard let value = property(interface, name, of: object) else { continue }
            answer.inside("e", "sv") {
              answer.text(name)
              value.write(answer, self)
            }
          }
        }
      }
    case "Set":
      let (name, value) = (arguments.text(), arguments.variant())
      switch (interface, name, value) {
      case ("Application", "Id", .int(let number)?): registryID = Int(number)
      case ("Value", "CurrentValue", .double(let number)?):
        guard case .element(let view) = object else { return false }
        // No answer but success: libatspi ends the screen reader at an error here.
        _ = isDone(.setValue(number), on: view)
      default:
        request.fail("it cannot be set", named: "org.freedesktop.DBus.Error.PropertyReadOnly")
        return true
      }
      request.answer { _ in }
    default: return false
    }
    return true
  }

  private enum PropertyValue {
    case plain(BusValue)
    case reference(String, String)

    @MainActor func write(_ writer: BusWriter, _ tree: AccessibleTree) {
      switch self {
      case .plain(let value): writer.variant(value)
      case .reference(let name, let path): writer.inside("v", "(so)") { writer.reference(name, path) }
      }
    }
  }

  /// The properties of each interface.
  private static let propertyNames: [String: [String]] = [
    "Accessible": ["Name", "Description", "Locale", "AccessibleId", "HelpText", "ChildCount", "Parent"],
    "Application": ["ToolkitName", "Version", "AtspiVersion", "Id"], "Action": ["NActions"],
    "Value": ["CurrentValue", "MinimumValue", "MaximumValue", "MinimumIncrement", "Text"],
    "Text": ["CharacterCount", "CaretOffset"],
  ]

  /// The value of a property; nil if the object has no such property.
  private func property(_ interface: String, _ name: String, of object: AccessibleObject) -> PropertyValue? {
    func text(_ text: String) -> PropertyValue { .plain(.text(text)) }
    func int(_ number: Int) -> PropertyValue { .plain(.int(Int32(clamping: number))) }
    func double(_ number: Double?) -> PropertyValue? { number.map { .plain(.double($0)) } }
    var view: View?
    if case .element(let found) = object { view = found }
    switch (interface, name) {
    case ("Accessible", "Name"): return text(self.name(of: object))
    case ("Accessible", "Description"): return text(view.flatMap { refusal(of: $0) ?? $0.toolTip } ?? "")
    case ("Accessible", "AccessibleId"): return text(view?.name ?? "")
    case ("Accessible", "Locale"), ("Accessible", "HelpText"): return text("")
    case ("Accessible", "ChildCount"): return int(children(of: object).count)
    case ("Accessible", "Parent"):
      let parent = parent(of: object).map { (self.name, path(of: $0)) } ?? desktop
      return .reference(parent.0, parent.1)
    case ("Application", "ToolkitName"): return text("cockpit")
    case ("Application", "Version"): return text("1")
    case ("Application", "AtspiVersion"): return text("2.1")
    case ("Application", "Id"): return int(registryID)
    case ("Action", "NActions"): return view.map { int($0.accessibilityActions.count) }
    case ("Value", "CurrentValue"): return double(view?.accessibilityValue?.number)
    case ("Value", "MinimumValue"): return double(view?.accessibilityValue?.limits.lowerBound)
    case ("Value", "MaximumValue"): return double(view?.accessibilityValue?.limits.upperBound)
    case ("Value", "MinimumIncrement"): return double(view?.accessibilityValue?.step)
    case ("Value", "Text"): return view?.accessibilityValue.map { text($0.text) }
    case ("Text", "CharacterCount"): return view?.accessibilityText.map { int($0.text.unicodeScalars.count) }
    case ("Text", "CaretOffset"): return view?.accessibilityText.map { int($0.caret ?? -1) }
    default: return nil
    }
  }

  // MARK: Accessible and Application

  private func answerAccessible(_ request: BusRequest, _ object: AccessibleObject) -> Bool {
    switch request.member {
    case "GetChildAtIndex":
      let (index, children) = (Int(request.arguments.int() ?? -1), children(of: object))
      request.answer { answer in
        if children.indices.contains(index) {
          answer.reference(name, path(of: children[index]))
        } else {
          answer.reference(name, Self.nullPath)
        }
      }
    case "GetChildren":
      request.answer { answer in
        answer.inside("a", "(so)") { children(of: object).forEach { answer.reference(name, path(of: $0)) } }
      }
    case "GetIndexInParent": request.answer { $0.int(index(of: object)) }
    case "GetRelationSet": request.answer { $0.inside("a", "(ua(so))") {} }
    case "GetRole": request.answer { $0.unsigned(role(of: object).number) }
    case "GetRoleName", "GetLocalizedRoleName": request.answer { $0.text(role(of: object).name) }
    case "GetState":
      request.answer { answer in
        answer.inside("a", "u") { states(of: object).words.forEach { answer.unsigned($0) } }
      }
    case "GetAttributes":
      var attributes = [("toolkit", "cockpit")]
      if case .element(let view) = object {
        // Screen readers say it in place of the number.
        if let text = view.accessibilityValue?.text, !text.isEmpty { attributes.append(("valuetext", text)) }
        if !view.name.isEmpty { attributes.append(("id", view.name)) }
      }
      request.answer { $0.pairs(attributes) }
    case "GetApplication": request.answer { $0.reference(name, Self.rootPath) }
    case "GetInterfaces":
      request.answer { answer in answer.inside("a", "s") { interfaces(of: object).forEach { answer.text($0) } } }
    default: return false
    }
    return true
  }

  private func answerApplication(_ request: BusRequest) -> Bool {
    switch request.member {
    case "GetLocale": request.answer { $0.text("") }
    case "GetApplicationBusAddress": request.answer { $0.text("") }
    default: return false
    }
    return true
  }

  // MARK: Component

  /// The object's frame in points, relative to the window, or with type 2 to its parent object. A frame relative to the screen
  /// is relative to the window too, since Wayland does not report a window's position.
  private func extents(of object: AccessibleObject, _ type: UInt32) -> Rect {
    guard case .element(let view) = object else { return root.bounds }
    return place(of: view.bounds, in: view, type)
  }

  private func place(of rect: Rect, in view: View, _ type: UInt32) -> Rect {
    let rect = view.accessibilityPlace(of: rect)
    guard type == 2, let parent = view.accessibilityParent else { return rect }
    return Rect(origin: rect.origin - parent.accessibilityPlace(of: parent.bounds).origin, size: rect.size)
  }

  private func answer(_ rect: Rect, to request: BusRequest) {
    request.answer { answer in
      for side in [rect.minX, rect.minY, rect.width, rect.height] { answer.int(Int(clamping: side.rounded())) }
    }
  }

  /// A point of a request, relative to the window.
  private func place(_ arguments: BusReader, of object: AccessibleObject) -> Point {
    let (x, y, type) = (arguments.int() ?? 0, arguments.int() ?? 0, arguments.unsigned() ?? 0)
    let point = Point(x: Double(x), y: Double(y))
    guard type == 2, case .element(let view) = object, let parent = view.accessibilityParent else { return point }
    return point + parent.accessibilityPlace(of: parent.bounds).origin
  }

  private func answerComponent(_ request: BusRequest, _ object: AccessibleObject) -> Bool {
    let arguments = request.arguments
    switch request.member {
    case "Contains":
      let point = place(arguments, of: object)
      request.answer { $0.bool(extents(of: object, 1).contains(point)) }
    case "GetAccessibleAtPoint":
      let point = place(arguments, of: object)
      let hit: View?
      if case .element(let view) = object {
        hit = view.accessibilityHitTest(point - view.accessibilityPlace(of: view.bounds).origin)
      } else {
        hit = root.accessibilityHitTest(point) ?? root.accessibilityDecorationHitTest(point)
      }
      request.answer { answer in
        if let hit {
          answer.reference(name, path(number(of: hit)))
        } else if case .window = object, root.bounds.contains(point) {
          answer.reference(name, path(of: object))
        } else {
          answer.reference(name, Self.nullPath)
        }
      }
    case "GetExtents":
      let rect = extents(of: object, arguments.unsigned() ?? 0)
      request.answer { answer in
        answer.inside("r", "iiii") {
          for side in [rect.minX, rect.minY, rect.width, rect.height] { answer.int(Int(clamping: side.rounded())) }
        }
      }
    case "GetPosition":
      let rect = extents(of: object, arguments.unsigned() ?? 0)
      request.answer { answer in
        for side in [rect.minX, rect.minY] { answer.int(Int(clamping: side.rounded())) }
      }
    case "GetSize":
      let rect = extents(of: object, 1)
      request.answer { answer in
        for side in [rect.width, rect.height] { answer.int(Int(clamping: side.rounded())) }
      }
    case "GetLayer":
      // A window (7) or something in it (3).
      if case .window = object { request.answer { $0.unsigned(7) } } else { request.answer { $0.unsigned(3) } }
    case "GetMDIZOrder": request.answer { $0.short(-1) }
    case "GetAlpha": request.answer { $0.double(1) }
    case "GrabFocus":
      guard case .element(let view) = object else {
        request.answer { $0.bool(false) }
        return true
      }
      carryOut(.focus, on: view, request)
    case "SetExtents", "SetPosition", "SetSize", "ScrollToPoint": request.answer { $0.bool(false) }
    case "ScrollTo":
      if case .element(let view) = object { view.scrollIntoView() }
      request.answer { $0.bool(true) }
    default: return false
    }
    return true
  }

  // MARK: Action

  private func answerAction(_ request: BusRequest, _ view: View) -> Bool {
    let actions = view.accessibilityActions
    func action() -> AccessibilityAction? {
      let index = Int(request.arguments.int() ?? -1)
      return actions.indices.contains(index) ? actions[index] : nil
    }
    switch request.member {
    case "GetName": request.answer { $0.text(action()?.name ?? "") }
    case "GetLocalizedName", "GetDescription": request.answer { $0.text(action()?.title ?? "") }
    case "GetKeyBinding": request.answer { $0.text("") }
    case "GetActions":
      request.answer { answer in
        answer.inside("a", "(sss)") {
          for action in actions {
            answer.inside("r", "sss") {
              answer.text(action.title)
              answer.text("")
              answer.text("")
            }
          }
        }
      }
    case "DoAction":
      guard let action = action() else {
        request.answer { $0.bool(false) }
        return true
      }
      carryOut(.perform(action.name), on: view, request)
    default: return false
    }
    return true
  }

  // MARK: Text

  private func answerText(_ request: BusRequest, _ view: View) -> Bool {
    guard let text = view.accessibilityText else { return false }
    let slices = TextSlices(text.text)
    let arguments = request.arguments
    func answer(_ part: (text: String, range: Range<Int>)) {
      request.answer {
        $0.text(part.text)
        $0.int(part.range.lowerBound)
        $0.int(part.range.upperBound)
      }
    }
    func answerNoAttributes(withRange: Bool) {
      request.answer {
        $0.pairs([])
        guard withRange else { return }
        $0.int(0)
        $0.int(slices.count)
      }
    }
    switch request.member {
    case "GetText":
      let (start, end) = (Int(arguments.int() ?? 0), Int(arguments.int() ?? -1))
      request.answer { $0.text(slices.part(start, end < 0 ? slices.count : end).text) }
    case "GetStringAtOffset":
      answer(slices.unit(TextSlices.Granularity(arguments.int(), arguments.unsigned()), .at))
    case "GetTextAtOffset":
      answer(slices.unit(TextSlices.Granularity(arguments.int(), boundary: arguments.unsigned()), .at))
    case "GetTextBeforeOffset":
      answer(slices.unit(TextSlices.Granularity(arguments.int(), boundary: arguments.unsigned()), .before))
    case "GetTextAfterOffset":
      answer(slices.unit(TextSlices.Granularity(arguments.int(), boundary: arguments.unsigned()), .after))
    case "GetCharacterAtOffset":
      let scalar = slices.scalar(at: Int(arguments.int() ?? -1))
      request.answer { $0.int(Int(scalar?.value ?? 0)) }
    case "GetNSelections": request.answer { $0.int(text.selection.isEmpty ? 0 : 1) }
    case "GetSelection":
      request.answer {
        $0.int(text.selection.lowerBound)
        $0.int(text.selection.upperBound)
      }
    case "SetCaretOffset", "AddSelection", "RemoveSelection", "SetSelection": request.answer { $0.bool(false) }
    case "ScrollSubstringTo", "ScrollSubstringToPoint": request.answer { $0.bool(false) }
    case "GetAttributes", "GetAttributeRun": answerNoAttributes(withRange: true)
    case "GetDefaultAttributes", "GetDefaultAttributeSet": answerNoAttributes(withRange: false)
    case "GetAttributeValue":
      request.answer {
        $0.text("")
        $0.int(0)
        $0.int(slices.count)
        $0.bool(false)
      }
    case "GetCharacterExtents", "GetRangeExtents":
      let start = Int(arguments.int() ?? 0)
      let end = request.member == "GetRangeExtents" ? Int(arguments.int() ?? 0) : start + 1
      let type = arguments.unsigned() ?? 0
      let places = start < end ? start..<end : 0..<0
      if let layout = view.accessibilityTextLayout {
        self.answer(layout.area(of: places, in: text.text).map { place(of: $0, in: view, type) } ?? .zero, to: request)
      } else {
        // The view draws its text itself.
        self.answer(extents(of: .element(view), type), to: request)
      }
    case "GetOffsetAtPoint":
      let point = place(arguments, of: .element(view)) - view.accessibilityPlace(of: view.bounds).origin
      let letter = view.accessibilityTextLayout.flatMap { layout in
        view.bounds.contains(point) ? layout.place(at: point, in: text.text) : nil
      }
      request.answer { $0.int(letter ?? -1) }
    case "GetBoundedRanges": request.answer { $0.inside("a", "(iisv)") {} }
    default: return false
    }
    return true
  }

  private func answerEditableText(_ request: BusRequest, _ view: View) -> Bool {
    guard let text = view.accessibilityText else { return false }
    let slices = TextSlices(text.text)
    let arguments = request.arguments
    let new: String
    switch request.member {
    case "SetTextContents": new = arguments.text() ?? ""
    case "InsertText":
      let (place, inserted) = (Int(arguments.int() ?? 0), arguments.text() ?? "")
      new = slices.part(0, place).text + inserted + slices.part(place, slices.count).text
    case "DeleteText":
      let (start, end) = (Int(arguments.int() ?? 0), Int(arguments.int() ?? 0))
      new = slices.part(0, start).text + slices.part(max(start, end), slices.count).text
    case "CopyText":
      request.answer { _ in }
      return true
    case "CutText", "PasteText":
      request.answer { $0.bool(false) }
      return true
    default: return false
    }
    carryOut(.setText(new), on: view, request)
    return true
  }
}

extension BusWriter {
  /// Writes a dictionary of texts.
  func pairs(_ pairs: [(String, String)]) {
    inside("a", "{ss}") {
      for (key, value) in pairs {
        inside("e", "ss") {
          text(key)
          text(value)
        }
      }
    }
  }
}
