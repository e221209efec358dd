import CompositorLab
import Controls
import Shell
import Testing
import UICore

@testable import Accessibility
@testable import DBus

/// The tables of AT-SPI's interfaces against the standard, and against the answers over a private bus.
@MainActor @Suite(.serialized, .enabled(if: FakePortal.missingPrograms.isEmpty, "dbus-daemon is not installed"))
struct AccessibleTableTests {
  /// A view with all interfaces.
  private final class Everything: View {
    override var accessibilityRole: AccessibilityRole { .textField }
    override var accessibilityValue: AccessibilityValue? { AccessibilityValue(1, in: 0...2, text: "one") }
    override var accessibilityText: AccessibilityText? { AccessibilityText("two words", isEditable: true) }
    override var accessibilityActions: [AccessibilityAction] { [AccessibilityAction("press", title: "Press") {}] }
  }

  private let loop = EventLoop()
  private let portal: FakePortal
  private let client: BusConnection
  private let tree: AccessibleTree
  private let view = Everything(frame: Rect(x: 10, y: 20, width: 30, height: 40))

  init() throws {
    portal = try FakePortal(hasPortal: false)
    client = try #require(BusConnection(to: portal.address, loop: loop))
    let root = RootView(frame: Rect(x: 0, y: 0, width: 100, height: 100))
    view.name = "all"
    root.addSubview(view)
    tree = AccessibleTree(
      root: root, title: "Window", bus: try #require(BusConnection(to: portal.address, loop: loop)), loop: loop)
    tree.open()
    wait { !tree.name.isEmpty }
  }

  @Test func `what is out of sight is visible, not showing`() {
    #expect(view.accessibleStates.isSuperset(of: [.visible, .showing]))
    view.frame.origin.x = 100
    #expect(view.accessibleStates.contains(.visible) && !view.accessibleStates.contains(.showing))
    view.frame.origin.x = 99
    #expect(view.accessibleStates.contains(.showing))
    view.isHidden = true
    #expect(!view.accessibleStates.contains(.showing))
  }

  private func wait(until condition: () -> Bool) {
    let start = ContinuousClock.now
    while !condition(), ContinuousClock.now - start < .seconds(10) {
      loop.turn(waits: false)
      portal.step()
    }
    #expect(condition())
  }

  /// Returns the answer to a call: its signature, for a variant its contents', or the name of the error.
  private func answer(
    at path: String, _ interface: String, _ member: String, _ arguments: some BusType
  ) -> String {
    var answer: String?
    client.call(tree.name, path, interface, member, arguments) {
      switch $0 {
      case .success(let reader): answer = reader.variantSignature ?? reader.signature
      case .failure(let error): answer = error.name.rawValue
      }
    }
    wait { answer != nil }
    return answer ?? ""
  }

  private let properties = "org.freedesktop.DBus.Properties"

  @Test func `each method answers with its row's signature, and refuses other arguments`() {
    let path = tree.path(tree.number(of: view))
    for interface in AccessibleTree.objectTable.interfaces where interface.name != properties {
      for row in interface.methods {
        let answer = answer(at: path, interface.name, row.name, ZeroArguments(row.input))
        #expect(answer == row.output, "\(interface.name).\(row.name)")
        let refusal = self.answer(at: path, interface.name, row.name, ZeroArguments(row.input + "i"))
        #expect(refusal == BusError.Name.invalidArguments.rawValue, "\(interface.name).\(row.name)")
      }
    }
    #expect(
      answer(at: AccessibleTree.cachePath, "org.a11y.atspi.Cache", "GetItems", ZeroArguments(""))
        == "a((so)(so)(so)iiassusau)")
  }

  @Test func `each property has its row's type`() {
    let path = tree.path(tree.number(of: view))
    for interface in AccessibleTree.objectTable.interfaces {
      for row in interface.properties {
        let answer = answer(at: path, properties, "Get", TwoStrings(interface.name, row.name))
        #expect(answer == row.signature, "\(interface.name).\(row.name)")
      }
    }
  }

  @Test func `the window has no interfaces of elements, and unknown objects are errors`() {
    let (window, names) = (tree.path(tree.window.number), BusError.Name.self)
    for (interface, member) in [("Action", "GetActions"), ("Text", "GetNSelections"), ("Accessible", "Frobnicate")] {
      let answer = answer(at: window, "org.a11y.atspi." + interface, member, ZeroArguments(""))
      #expect(answer == names.unknownMethod.rawValue, "\(interface)")
    }
    let unknown = answer(at: AccessibleTree.prefix + "/77", "org.a11y.atspi.Accessible", "GetRole", ZeroArguments(""))
    #expect(unknown == names.unknownObject.rawValue)
    #expect(
      answer(at: window, properties, "Get", TwoStrings("org.a11y.atspi.Value", "CurrentValue"))
        == names.unknownProperty.rawValue)
  }

  @Test func `the tables are those of the standard`() {
    func rows<Object>(_ table: BusTable<Object>) -> [String] {
      table.interfaces.filter { $0.name != properties }.flatMap { interface in
        let name = interface.name.dropFirst("org.a11y.atspi.".count)
        return interface.properties.map { "\(name).\($0.name): \($0.signature)" }
          + interface.methods.map { "\(name).\($0.name)(\($0.input))" + ($0.output.isEmpty ? "" : " " + $0.output) }
      }
    }
    let found = rows(AccessibleTree.objectTable) + rows(AccessibleTree.cacheTable)
    let standard = Self.standard.split(separator: "\n").map { $0.trimmingPrefix { $0 == " " } }
    for row in found where !standard.contains(where: { $0 == row }) { Issue.record("not in the standard: \(row)") }
    for row in standard where !found.contains(where: { $0 == row }) { Issue.record("missing: \(row)") }
  }

  /// From AT-SPI's description in XML.
  private static let standard = """
    Accessible.Name: s
    Accessible.Description: s
    Accessible.Locale: s
    Accessible.AccessibleId: s
    Accessible.HelpText: s
    Accessible.ChildCount: i
    Accessible.Parent: (so)
    Accessible.GetChildAtIndex(i) (so)
    Accessible.GetChildren() a(so)
    Accessible.GetIndexInParent() i
    Accessible.GetRelationSet() a(ua(so))
    Accessible.GetRole() u
    Accessible.GetRoleName() s
    Accessible.GetLocalizedRoleName() s
    Accessible.GetState() au
    Accessible.GetAttributes() a{ss}
    Accessible.GetApplication() (so)
    Accessible.GetInterfaces() as
    Application.ToolkitName: s
    Application.Version: s
    Application.AtspiVersion: s
    Application.Id: i
    Application.GetLocale(u) s
    Application.GetApplicationBusAddress() s
    Component.Contains(iiu) b
    Component.GetAccessibleAtPoint(iiu) (so)
    Component.GetExtents(u) (iiii)
    Component.GetPosition(u) ii
    Component.GetSize() ii
    Component.GetLayer() u
    Component.GetMDIZOrder() n
    Component.GetAlpha() d
    Component.GrabFocus() b
    Component.SetExtents(iiiiu) b
    Component.SetPosition(iiu) b
    Component.SetSize(ii) b
    Component.ScrollTo(u) b
    Component.ScrollToPoint(uii) b
    Action.NActions: i
    Action.GetName(i) s
    Action.GetLocalizedName(i) s
    Action.GetDescription(i) s
    Action.GetKeyBinding(i) s
    Action.GetActions() a(sss)
    Action.DoAction(i) b
    Value.CurrentValue: d
    Value.MinimumValue: d
    Value.MaximumValue: d
    Value.MinimumIncrement: d
    Value.Text: s
    Text.CharacterCount: i
    Text.CaretOffset: i
    Text.GetText(ii) s
    Text.GetStringAtOffset(iu) sii
    Text.GetTextAtOffset(iu) sii
    Text.GetTextBeforeOffset(iu) sii
    Text.GetTextAfterOffset(iu) sii
    Text.GetCharacterAtOffset(i) i
    Text.GetNSelections() i
    Text.GetSelection(i) ii
    Text.SetCaretOffset(i) b
    Text.AddSelection(ii) b
    Text.RemoveSelection(i) b
    Text.SetSelection(iii) b
    Text.ScrollSubstringTo(iiu) b
    Text.ScrollSubstringToPoint(iiuii) b
    Text.GetAttributes(i) a{ss}ii
    Text.GetAttributeRun(ib) a{ss}ii
    Text.GetDefaultAttributes() a{ss}
    Text.GetDefaultAttributeSet() a{ss}
    Text.GetAttributeValue(is) siib
    Text.GetCharacterExtents(iu) iiii
    Text.GetRangeExtents(iiu) iiii
    Text.GetOffsetAtPoint(iiu) i
    Text.GetBoundedRanges(iiiiuuu) a(iisv)
    EditableText.SetTextContents(s) b
    EditableText.InsertText(isi) b
    EditableText.DeleteText(ii) b
    EditableText.CopyText(ii)
    EditableText.CutText(ii) b
    EditableText.PasteText(i) b
    Cache.GetItems() a((so)(so)(so)iiassusau)
    """
}

/// Two strings as arguments.
private struct TwoStrings: BusType {
  let (first, second): (String, String)

  static var signature: String { "ss" }
  init(_ first: String, _ second: String) { (self.first, self.second) = (first, second) }
  init?(from reader: BusReader) { nil }
  func write(to writer: BusWriter) {
    first.write(to: writer)
    second.write(to: writer)
  }
}
