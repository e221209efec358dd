import CockpitControls
import ControlHarness
import ControlTools
import Controls
import Testing
import UICore

@testable import cockpit_catalogue

/// Tests of the catalogue: what it shows, and what fingers and keys do in it.
@MainActor @Suite(.serialized) struct CatalogueTests {
  private let scene: CatalogueScene
  private let harness: ControlHarness

  init() {
    scene = CatalogueScene()
    harness = ControlHarness(size: Size(width: 1280, height: 720), root: scene)
  }

  private func part<Part: View>(_ type: Part.Type, _ name: String, in view: View? = nil) throws -> Part {
    try #require((view ?? scene).view(named: name) as? Part)
  }

  private var list: CatalogueList {
    get throws { try part(CatalogueList.self, "list") }
  }

  private var stage: CatalogueBoard {
    get throws { try part(CatalogueBoard.self, "cells") }
  }

  /// The editor of a property of the view on the stage, or a part of it.
  private func editor<Part: View>(_ type: Part.Type, _ property: String, _ name: String) throws -> Part {
    try part(type, name, in: part(View.self, property, in: part(View.self, "propertyList")))
  }

  @Test func `every type of the registry is listed and shown, controls in every state`() throws {
    let list = try list
    #expect(list.names.sorted() == ViewRegistry.everyControl.typeNames)
    for type in list.names {
      scene.show(type)
      harness.frame()
      let stage = try stage
      let states = stage.cells.map { ($0.sample.subject as? Control)?.state }
      let isControl = ViewRegistry.everyControl.makeView(type) is Control
      #expect(
        states
          == (isControl ? [.normal, .highlighted, .selected, [.selected, .highlighted], .disabled, .focused] : [nil]),
        "\(type)")
      for cell in stage.cells {
        #expect(cell.sample.subject.inspect().type == type)
        let inside = cell.sample.view.frame
        #expect(cell.bounds.contains(inside) && !inside.isEmpty, "\(type), \(cell.name): \(inside)")
      }
      let properties = try part(PropertyList.self, "propertyList")
      #expect(properties.target === stage.subject && !properties.subviews.isEmpty, "\(type)")
    }
  }

  @Test func `a slider of the catalogue changes its property while the finger moves, in every state`() throws {
    scene.show("ThrottleGearbox")
    harness.frame()
    let gearboxes = try stage.cells.compactMap { $0.sample.subject as? ThrottleGearbox }
    #expect(gearboxes.map(\.gearCount) == [10, 10, 10, 10, 10, 10])
    let slider = try editor(Slider.self, "gearCount", "slider").windowFrame
    harness.drag(from: slider.center, to: Point(x: slider.minX, y: slider.midY), holds: true)
    let count = gearboxes[0].gearCount
    #expect(count < 10 && gearboxes.allSatisfy { $0.gearCount == count })
    harness.touch(.ended, at: Point(x: slider.minX, y: slider.midY))
    harness.tap(try part(Button.self, "reset"))
    #expect(try stage.cells.allSatisfy { ($0.sample.subject as? ThrottleGearbox)?.gearCount == 10 })
  }

  @Test func `R21: every number of a control has a slider, with limits or without`() throws {
    scene.show("RangeSlider")
    harness.frame()
    let sample = try #require(stage.subject as? RangeSlider)
    for property in sample.inspectables where property.kind == .number || property.kind == .integer {
      _ = try editor(Slider.self, property.name, "slider")
    }
    let slider = try editor(Slider.self, "upperValue", "slider").windowFrame
    harness.drag(from: Point(x: slider.midX + slider.width * 0.3, y: slider.midY), to: slider.center)
    #expect(abs(sample.upperValue - 0.5) < 0.06)
    #expect(try stage.cells.allSatisfy { ($0.sample.subject as? RangeSlider)?.upperValue == sample.upperValue })
    scene.show("NumberField")
    harness.frame()
    let field = try editor(NumberField.self, "value", "field")
    field.becomeFirstResponder()
    harness.type("250")
    harness.press(.enter)
    #expect(try (stage.subject as? NumberField)?.value == 250, "a field takes what its slider does not reach")
  }

  @Test func `the live one is moved by a finger, the others follow and can't be touched`() throws {
    scene.show("Slider")
    harness.frame()
    let sliders = try stage.cells.compactMap { $0.sample.subject as? Slider }
    let frame = sliders[0].windowFrame
    harness.drag(from: frame.center, to: Point(x: frame.maxX, y: frame.midY))
    #expect(sliders[0].value == 1 && sliders.allSatisfy { $0.value == 1 })
    let other = sliders[2].windowFrame
    harness.drag(from: Point(x: other.maxX - 5, y: other.midY), to: Point(x: other.minX, y: other.midY))
    #expect(sliders[2].value == 1)
    #expect(!sliders[4].isEnabled && sliders[0].isEnabled, "a state is each one's own")
  }

  @Test func `a sample grows with what is set, and its card with it`() throws {
    let button = try #require(stage.subject as? Button)
    let width = button.frame.width
    button.title = "A much longer title"
    harness.frame()
    #expect(button.frame.width > width + 60)
    #expect(try stage.cells.allSatisfy { $0.bounds.contains($0.sample.view.frame) })
  }

  @Test func `the switches give everything the other theme and the other direction`() throws {
    #expect(scene.theme == .dark)
    harness.tap(try part(Switch.self, "dark"))
    harness.advance(by: .milliseconds(400))
    #expect(scene.theme == .light && scene.backgroundColor == Theme.light.background)
    #expect(try list.windowFrame.minX == 0)
    harness.tap(try part(Switch.self, "rightToLeft"))
    harness.advance(by: .milliseconds(400))
    #expect(try abs(list.windowFrame.maxX - 1280) < 1 && part(View.self, "properties").windowFrame.minX == 0)
    #expect(try stage.subject?.effectiveLayoutDirection == .rightToLeft)
    harness.tap(try part(Switch.self, "dark"))
    harness.tap(try part(Switch.self, "rightToLeft"))
    #expect(scene.theme == .dark && scene.effectiveLayoutDirection == .leftToRight)
  }

  @Test func `keys go through it: Tab to the list, arrows in it, on to the live one and its properties`() throws {
    let list = try list
    for _ in 0..<3 { harness.press(.tab) }
    #expect(list.isFirstResponder)
    harness.press(.down)
    #expect(list.selection == "CheckBox" && list.isFirstResponder)
    harness.press(.end)
    #expect(list.selection == list.names.last)
    let row = try #require(list.rect(of: list.names.last ?? ""))
    #expect(try part(View.self, "controls").windowFrame.contains(list.convert(row, to: nil)), "the row is in sight")
    harness.press(.up)
    harness.press(.home)
    #expect(list.selection == "Button")
    harness.press(.tab)
    #expect(try stage.subject?.isFirstResponder == true)
    harness.press(.tab)
    #expect(try part(Button.self, "reset").isFirstResponder, "the others are no stops")
    harness.press(.tab)
    #expect(try editor(TextField.self, "title", "field").isFirstResponder)
    harness.type("Go")
    harness.press(.enter)
    #expect(try stage.cells.allSatisfy { ($0.sample.subject as? Button)?.title == "Go" })
  }

  @Test func `in a small window rows are tapped and scrolled, and properties follow the stage`() throws {
    harness.resize(to: Size(width: 480, height: 320), scale: .one)
    let list = try list
    let row = list.convert(try #require(list.rect(of: "ColorWell")), to: nil)
    #expect(row.height >= 44)
    harness.tap(row.center)
    #expect(list.selection == "ColorWell")
    let before = list.windowFrame.minY
    harness.drag(from: Point(x: 80, y: 300), to: Point(x: 80, y: 100))
    harness.settle()
    #expect(list.windowFrame.minY < before - 100 && list.selection == "ColorWell")
    let properties = try part(View.self, "propertyList")
    #expect(properties.windowFrame.minY > 320, "below what is seen")
    // A drag beside the cards, since the views on them take their own drags.
    for _ in 0..<4 { harness.drag(from: Point(x: 176, y: 300), to: Point(x: 176, y: 80)) }
    harness.settle()
    #expect(properties.windowFrame.minY < 320)
  }

  @Test(
    arguments: [(480, 320), (480, 800), (800, 480), (959, 540), (960, 540), (1280, 720), (1920, 1080), (3840, 2160)])
  func `at any size nothing overlaps and nothing lies beside its column`(width: Int, height: Int) throws {
    harness.checksDamage = false
    let size = Size(width: Double(width), height: Double(height))
    harness.resize(to: size, scale: .one)
    for type in ["Button", "ColorEditor", "ThrottleGearbox", "ScrollView"] {
      scene.show(type)
      harness.frame()
      let columns = try ["controls", "stage", "properties"].map { try part(View.self, $0) }.filter { !$0.isHidden }
      #expect(columns.count == (width >= 960 ? 3 : 2))
      #expect(columns.reduce(0) { $0 + $1.frame.width } == size.width)
      let stage = try stage
      for (index, cell) in stage.cells.enumerated() {
        #expect(cell.frame.minX >= 0 && cell.frame.maxX <= stage.bounds.width, "\(type)")
        #expect(stage.cells[..<index].allSatisfy { $0.frame.intersection(cell.frame).isEmpty }, "\(type)")
      }
    }
  }
}

extension Rect {
  /// True when no part of `other` is outside.
  fileprivate func contains(_ other: Rect) -> Bool { intersection(other) == other }
}
