import Controls
internal import DBus
import UICore

/// The interfaces of AT-SPI, as tables, and the calls of them.
extension AccessibleTree {
  static let objectTable = BusTable<Accessible>([
    accessible, application, component, action.of(\.element), value.of(\.element), text.of(\.text),
    editableText.of(\.text),
  ])
  static let cacheTable = BusTable<AccessibleTree>([
    BusInterface("org.a11y.atspi.Cache") { table in table.method("GetItems") { $0.cacheItems } }
  ])

  /// Answers a call; returns false if the object does not have the method.
  func answer(_ call: BusCall) -> Bool {
    if call.path == Self.cachePath { return Self.cacheTable.answer(call, by: self) }
    guard let object = object(at: call.path) else {
      call.fail(BusError(.unknownObject, "no such object"))
      return true
    }
    return Self.objectTable.answer(call, by: object)
  }

  private static let accessible = BusInterface<Accessible>("org.a11y.atspi.Accessible") { table in
    table.property("Name") { $0.name }
    table.property("Description") { $0.description }
    table.property("Locale") { _ in "" }
    table.property("AccessibleId") { $0.view?.name ?? "" }
    table.property("HelpText") { _ in "" }
    table.property("ChildCount") { $0.children.count }
    table.property("Parent") { $0.tree.parentReference(of: $0) }
    table.method("GetChildAtIndex") { (here, index: Int) in
      here.tree.reference(here.children.indices.contains(index) ? here.children[index] : nil)
    }
    table.method("GetChildren") { here in here.children.map { here.tree.reference($0) } }
    table.method("GetIndexInParent") { $0.index }
    table.method("GetRelationSet") { _ in [BusStruct<UInt32, [AccessibleReference]>]() }
    table.method("GetRole") { $0.role.number }
    table.method("GetRoleName") { $0.role.name }
    table.method("GetLocalizedRoleName") { $0.role.name }
    table.method("GetState") { $0.states.words }
    table.method("GetAttributes") { BusDictionary($0.attributes) }
    table.method("GetApplication") { $0.tree.reference(0) }
    table.method("GetInterfaces") { $0.interfaces }
  }

  private static let application = BusInterface<Accessible>("org.a11y.atspi.Application") { table in
    table.property("ToolkitName") { _ in "cockpit" }
    table.property("Version") { _ in "1" }
    table.property("AtspiVersion") { _ in "2.1" }
    table.property("Id", { $0.tree.registryID }, set: { $0.tree.registryID = $1 })
    table.method("GetLocale") { (_, _: UInt32) in "" }
    table.method("GetApplicationBusAddress") { _ in "" }
  }

  private static let component = BusInterface<Accessible>("org.a11y.atspi.Component") { table in
    table.method("Contains") { (here, x: Int, y: Int, origin: UInt32) in
      here.frame().contains(here.point(x, y, from: origin))
    }
    table.method("GetAccessibleAtPoint") { (here, x: Int, y: Int, origin: UInt32) in
      here.tree.reference(here.hitTest(here.point(x, y, from: origin)))
    }
    table.method("GetExtents") { (here, origin: UInt32) in here.frame(from: origin).extents }
    table.method("GetPosition") { (here, origin: UInt32) in
      let (x, y, _, _) = here.frame(from: origin).extents.fields
      return (x, y)
    }
    table.method("GetSize") { here in
      let (_, _, width, height) = here.frame().extents.fields
      return (width, height)
    }
    // The layer of a window (7) or of something in it (3).
    table.method("GetLayer") { UInt32($0.isWindow ? 7 : 3) }
    table.method("GetMDIZOrder") { _ in Int16(-1) }
    table.method("GetAlpha") { _ in 1.0 }
    table.method("GrabFocus") { $0.element?.carryOut(.focus) ?? false }
    table.method("SetExtents") { (_, _: Int, _: Int, _: Int, _: Int, _: UInt32) in false }
    table.method("SetPosition") { (_, _: Int, _: Int, _: UInt32) in false }
    table.method("SetSize") { (_, _: Int, _: Int) in false }
    table.method("ScrollTo") { (here, _: UInt32) -> Bool in
      here.view?.scrollIntoView()
      return true
    }
    table.method("ScrollToPoint") { (_, _: UInt32, _: Int, _: Int) in false }
  }

  private static let action = BusInterface<AccessibleElement>("org.a11y.atspi.Action") { table in
    table.property("NActions") { $0.view.accessibilityActions.count }
    table.method("GetName") { (here, index: Int) in here.action(index)?.name ?? "" }
    table.method("GetLocalizedName") { (here, index: Int) in here.action(index)?.title ?? "" }
    table.method("GetDescription") { (here, index: Int) in here.action(index)?.title ?? "" }
    table.method("GetKeyBinding") { (_, _: Int) in "" }
    table.method("GetActions") { $0.view.accessibilityActions.map { BusStruct($0.title, "", "") } }
    table.method("DoAction") { (here, index: Int) in
      here.action(index).map { here.carryOut(.perform($0.name)) } ?? false
    }
  }

  private static let value = BusInterface<AccessibleElement>("org.a11y.atspi.Value") { table in
    table.property(
      "CurrentValue", { $0.view.accessibilityValue?.number },
      // A refusal is no error, because libatspi ends the screen reader at an error here.
      set: { _ = $0.carryOut(.setValue($1)) })
    table.property("MinimumValue") { $0.view.accessibilityValue?.limits.lowerBound }
    table.property("MaximumValue") { $0.view.accessibilityValue?.limits.upperBound }
    table.property("MinimumIncrement") { $0.view.accessibilityValue?.step }
    table.property("Text") { $0.view.accessibilityValue?.text }
  }

  private static let text = BusInterface<AccessibleText>("org.a11y.atspi.Text") { table in
    table.property("CharacterCount") { $0.slices.count }
    table.property("CaretOffset") { $0.text.caret ?? -1 }
    table.method("GetText") { (here, start: Int, end: Int) in
      here.slices.part(start, end < 0 ? here.slices.count : end).text
    }
    table.method("GetStringAtOffset") { (here, offset: Int, granularity: UInt32) in
      here.slice(.init(offset, granularity), .at)
    }
    table.method("GetTextAtOffset") { (here, offset: Int, boundary: UInt32) in
      here.slice(.init(offset, boundary: boundary), .at)
    }
    table.method("GetTextBeforeOffset") { (here, offset: Int, boundary: UInt32) in
      here.slice(.init(offset, boundary: boundary), .before)
    }
    table.method("GetTextAfterOffset") { (here, offset: Int, boundary: UInt32) in
      here.slice(.init(offset, boundary: boundary), .after)
    }
    table.method("GetCharacterAtOffset") { (here, offset: Int) in Int(here.slices.scalar(at: offset)?.value ?? 0) }
    table.method("GetNSelections") { $0.text.selection.isEmpty ? 0 : 1 }
    table.method("GetSelection") { (here, _: Int) in (here.text.selection.lowerBound, here.text.selection.upperBound) }
    table.method("SetCaretOffset") { (_, _: Int) in false }
    table.method("AddSelection") { (_, _: Int, _: Int) in false }
    table.method("RemoveSelection") { (_, _: Int) in false }
    table.method("SetSelection") { (_, _: Int, _: Int, _: Int) in false }
    table.method("ScrollSubstringTo") { (_, _: Int, _: Int, _: UInt32) in false }
    table.method("ScrollSubstringToPoint") { (_, _: Int, _: Int, _: UInt32, _: Int, _: Int) in false }
    table.method("GetAttributes") { (here, _: Int) in (BusDictionary<String, String>(), 0, here.slices.count) }
    table.method("GetAttributeRun") { (here, _: Int, _: Bool) in (BusDictionary<String, String>(), 0, here.slices.count)
    }
    table.method("GetDefaultAttributes") { _ in BusDictionary<String, String>() }
    table.method("GetDefaultAttributeSet") { _ in BusDictionary<String, String>() }
    table.method("GetAttributeValue") { (here, _: Int, _: String) in ("", 0, here.slices.count, false) }
    table.method("GetCharacterExtents") { (here, offset: Int, origin: UInt32) in
      here.frame(of: offset, offset + 1, from: origin).extents.fields
    }
    table.method("GetRangeExtents") { (here, start: Int, end: Int, origin: UInt32) in
      here.frame(of: start, end, from: origin).extents.fields
    }
    table.method("GetOffsetAtPoint") { (here, x: Int, y: Int, origin: UInt32) in
      here.offset(at: x, y, from: origin) ?? -1
    }
    table.method("GetBoundedRanges") { (_, _: Int, _: Int, _: Int, _: Int, _: UInt32, _: UInt32, _: UInt32) in
      [BusStruct<Int, Int, String, BusVariant>]()
    }
  }

  private static let editableText = BusInterface<AccessibleText>("org.a11y.atspi.EditableText") { table in
    table.method("SetTextContents") { (here, text: String) in here.element.carryOut(.setText(text)) }
    table.method("InsertText") { (here, offset: Int, text: String, _: Int) in
      here.replace(offset, offset, with: text)
    }
    table.method("DeleteText") { (here, start: Int, end: Int) in here.replace(start, max(start, end), with: "") }
    table.method("CopyText") { (_, _: Int, _: Int) in }
    table.method("CutText") { (_, _: Int, _: Int) in false }
    table.method("PasteText") { (_, _: Int) in false }
  }
}

// MARK: Receivers of calls

struct AccessibleElement {
  let tree: AccessibleTree
  let view: View

  func action(_ index: Int) -> AccessibilityAction? {
    let actions = view.accessibilityActions
    return actions.indices.contains(index) ? actions[index] : nil
  }

  /// Makes the view carry out a command; returns false if it refuses. The reason of a refusal is announced, and is the
  /// object's description until the next successful command.
  func carryOut(_ command: AccessibilityCommand) -> Bool {
    do throws(AccessibilityRefusal) {
      // The program may refuse, and record, commands to its own views, but not to the window's title bar or a menu's rows.
      if view.root === tree.root { try tree.carryOut(command, view) } else { try view.carryOut(command) }
      tree.noteRefusal(nil, of: view)
      return true
    } catch {
      tree.noteRefusal(error.reason, of: view)
      return false
    }
  }

  /// A rectangle of the view in points, relative to the window, or to the parent's frame if `origin` is 2.
  func frame(of rect: Rect, from origin: UInt32) -> Rect {
    let rect = view.accessibilityPlace(of: rect)
    guard origin == 2, let parent = view.accessibilityParent else { return rect }
    return Rect(origin: rect.origin - parent.accessibilityPlace(of: parent.bounds).origin, size: rect.size)
  }
}

struct AccessibleText {
  let element: AccessibleElement
  let text: AccessibilityText
  let slices: TextSlices

  init(_ element: AccessibleElement, _ text: AccessibilityText) {
    (self.element, self.text, slices) = (element, text, TextSlices(text.text))
  }

  func slice(_ granularity: TextSlices.Granularity, _ neighbor: TextSlices.Neighbor) -> (String, Int, Int) {
    let (text, range) = slices.unit(granularity, neighbor)
    return (text, range.lowerBound, range.upperBound)
  }

  /// The frame of a range of the text; that of the view if the view draws its text itself.
  func frame(of start: Int, _ end: Int, from origin: UInt32) -> Rect {
    guard let layout = element.view.accessibilityTextLayout else {
      return element.frame(of: element.view.bounds, from: origin)
    }
    return layout.area(of: start < end ? start..<end : 0..<0, in: text.text)
      .map { element.frame(of: $0, from: origin) } ?? .zero
  }

  /// The offset of the character at a point; nil beside the text.
  func offset(at x: Int, _ y: Int, from origin: UInt32) -> Int? {
    let view = element.view
    let point = Accessible(tree: element.tree, node: view).point(x, y, from: origin)
    let inView = point - view.accessibilityPlace(of: view.bounds).origin
    guard view.bounds.contains(inView) else { return nil }
    return view.accessibilityTextLayout?.place(at: inView, in: text.text)
  }

  /// Has the view replace a range of its text; returns false if it refuses.
  func replace(_ start: Int, _ end: Int, with new: String) -> Bool {
    element.carryOut(.setText(slices.part(0, start).text + new + slices.part(end, slices.count).text))
  }
}

// MARK: Values in messages

/// A reference to an object: the name of its connection, and its path.
typealias AccessibleReference = BusStruct<String, ObjectPath>

/// The data that a cache keeps of an object: the object, the program, the parent, the index in it, the number of children,
/// the interfaces, name, role, description and states.
typealias CacheItem = BusStruct<
  AccessibleReference, AccessibleReference, AccessibleReference, Int, Int, [String], String, UInt32, String, [UInt32]
>

extension AccessibleTree {
  /// A reference to an object; nil gives the null object.
  func reference(_ object: Accessible?) -> AccessibleReference {
    object.map { reference($0.number) } ?? BusStruct(name, ObjectPath(Self.nullPath))
  }

  func reference(_ number: Int) -> AccessibleReference { BusStruct(name, ObjectPath(path(number))) }

  func parentReference(of object: Accessible) -> AccessibleReference {
    object.parent.map { reference($0) } ?? BusStruct(desktop.name, ObjectPath(desktop.path))
  }

  func cacheItem(of object: Accessible, at index: Int) -> CacheItem {
    BusStruct(
      reference(object), reference(application), parentReference(of: object), index, object.children.count,
      object.interfaces, object.name, object.role.number, "", object.states.words)
  }

  fileprivate var cacheItems: [CacheItem] {
    var objects = [(object: application, index: -1)]
    var next = 0
    while next < objects.count, objects.count < Self.maxListed {
      let children = objects[next].object.children.prefix(Self.maxListed - objects.count)
      objects += children.enumerated().map { ($0.element, $0.offset) }
      next += 1
    }
    return objects.map { cacheItem(of: $0.object, at: $0.index) }
  }
}

extension Rect {
  /// Position and size in whole points.
  fileprivate var extents: BusStruct<Int, Int, Int, Int> {
    func whole(_ side: Double) -> Int { Int(clamping: side.rounded()) }
    return BusStruct(whole(minX), whole(minY), whole(width), whole(height))
  }
}
