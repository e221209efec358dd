import ControlHarness
import ControlTools
import Controls
import Foundation
import Testing
import UICore

@testable import cockpit

/// docs/controls.md and its pictures, compared with the declarations. With COCKPIT_DOCUMENTS set to a folder they are written there
/// (`./dev reference`).
@MainActor @Suite(.serialized) struct ControlPageTests {
  private static let folder = ProcessInfo.processInfo.environment["COCKPIT_DOCUMENTS"].map { URL(fileURLWithPath: $0) }
  private static let documents = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../../docs").standardized
  private let page = ControlPage()

  @Test func `each type, property and event of a scene file is described`() {
    for type in page.registry.typeNames {
      guard let view = page.registry.makeView(type) else { continue }
      let about = Swift.type(of: view).about
      #expect(about.hasSuffix("."), "\(type): \"\(about)\"")
      #expect(type == "View" || about != View.about, "\(type) has no docstring of its own, or no @ListsProperties")
      for property in view.inspectables {
        #expect(property.about.hasSuffix("."), "\(type).\(property.name): \"\(property.about)\"")
      }
    }
    #expect(Set(Control.Event.named.map(\.about)).count == Control.Event.named.count)
  }

  @Test func `docs controls md is what the declarations say`() throws {
    let text = page.text
    if let folder = Self.folder {
      try Data(text.utf8).write(to: folder.appendingPathComponent("controls.md"))
    } else {
      let kept = try String(contentsOf: Self.documents.appendingPathComponent("controls.md"), encoding: .utf8)
      let (old, new) = (kept.split(separator: "\n"), text.split(separator: "\n"))
      let changed = zip(old, new).first { $0 != $1 }
      let isKept = kept == text
      #expect(
        isKept,
        "docs/controls.md is not what the declarations say; ./dev reference writes it again. First: \(String(describing: changed))"
      )
    }
  }

  @Test func `the pictures of the page are what is drawn today, and small`() throws {
    var bytes = 0
    for type in page.registry.typeNames {
      let picture = page.draw(type)
      let path = (Self.folder ?? Self.documents).appendingPathComponent("controls/\(type).png").path
      if let folder = Self.folder {
        try FileManager.default.createDirectory(
          at: folder.appendingPathComponent("controls"), withIntermediateDirectories: true)
        var copy = picture
        try #require(copy.withBuffer { PNG.write($0, to: path, isOpaque: true) }, "\(path) can't be written")
      } else {
        let kept = try #require(Snapshot.read(path), "\(path) is not there; ./dev reference draws it")
        // Another version of the font renderer differs by a little.
        let isKept = kept.size == picture.size && kept.difference(from: picture).largest <= 2
        #expect(isKept, "\(path) is not what is drawn today; ./dev reference draws it again")
      }
      bytes += try Data(contentsOf: URL(fileURLWithPath: path)).count
    }
    #expect(bytes < 200_000, "\(bytes) bytes")
  }

  /// Fingers and keys press, drag and cancel a control of each type in every way that is tried here. An event that it declares and never
  /// sends fails as one that it sends and does not declare.
  @Test func `controls send the events that they declare, and no others beside those of fingers`() throws {
    var count = 0
    for type in page.registry.typeNames where page.registry.makeView(type) is Control {
      count += 1
      let faults = try EventExercise.faults { self.page.registry.makeView(type) as? Control }
      #expect(faults == [], "\(type)")
    }
    #expect(count >= 14)
    // Not made by files, but documented in code alike.
    let list = try EventExercise.faults {
      let list = OutlineList()
      list.items = (0..<5).map { OutlineItem(id: $0, title: "Row \($0)") }
      return list
    }
    #expect(list == [])
  }

  @Test func `an event that is declared and never sent is found, and one that is sent and not declared`() throws {
    let promising = try EventExercise.faults { Promising() }
    #expect(promising == ["editingDidEnd is declared and never sent"])
    let silent = try EventExercise.faults { Silent() }
    #expect(silent == ["primaryActionTriggered is sent and not declared"])
  }
}

/// Controls with wrong declarations.
private final class Promising: Control {
  override var hasPrimaryAction: Bool { true }
  override var ownEvents: Event { super.ownEvents.union(.editingDidEnd) }
}

private final class Silent: Control {
  override var hasPrimaryAction: Bool { true }
  override var ownEvents: Event { [] }
}
