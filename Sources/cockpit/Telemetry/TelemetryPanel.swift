import CockpitControls
import Controls
import DriveLink
import UICore

/// A row with the vehicle's battery and link, and in its middle the most severe warning, or how good the way to the vehicle is; present
/// only while telemetry is shown or answers come.
final class TelemetryPanel: PassiveView {
  struct Content: Hashable {
    /// The battery in whole per cent; nil if unknown.
    var battery: Int?
    /// True if the battery is as low as the vehicle's file, or the panel itself, warns of.
    var isBatteryLow = false
    /// The age of the link in milliseconds, in readable steps of 10; nil if unknown.
    var link: Int?
    var warnings: [String] = []
    /// True if all telemetry is too old to be shown.
    var isStale = true
    /// True if lines come, but none that can be read.
    var isRefused = false
    /// The quality of the way to the consumer and back; nil while no answers come.
    var figures: LinkFigures?
    /// What the driver is told of this machine.
    var machine: MachineNotice?
    /// False if the vehicle's own values are neither known nor expected.
    var hasVehicle = true

    init(_ telemetry: Telemetry?, isStale: Bool, isRefused: Bool = false) {
      (self.isStale, self.isRefused) = (isStale, isRefused)
      battery = telemetry?.battery.map { Int(($0 * 100).rounded()) }
      link = telemetry?.linkAge.map { Int(min($0, 9.99) * 100) * 10 }
      warnings = telemetry?.warnings ?? []
      isBatteryLow = battery.map { $0 <= TelemetryPanel.lowBattery } ?? false
    }
  }

  @Redraws var content = Content(nil, isStale: true)

  /// The greatest battery level and the least age of the link that need attention, in per cent and milliseconds; a vehicle's file has a level
  /// of its own.
  private static let lowBattery = 20
  private static let slowLink = 200

  init() { super.init("telemetry") }

  override var inspection: Inspection {
    Inspection().adding([
      "isStale": .bool(content.isStale), "isRefused": content.isRefused ? .bool(true) : nil,
      "battery": content.battery.map { .number(Double($0)) },
      "link": content.link.map { .number(Double($0)) },
      "figures": content.figures.map { .string($0.text) },
      "machine": content.machine.map { .string($0.line(in: .current)) },
      "warnings": content.warnings.isEmpty ? nil : .string(content.warnings.joined(separator: "; ")),
    ])
  }

  override var accessibilityRole: AccessibilityRole { .label }
  /// The row's text, the most severe warning first.
  override var accessibilityTitle: String {
    var texts = messages
    if content.hasVehicle, !content.isStale {
      texts += [content.battery.map { "\(Language.current.battery) \($0) %" }, content.link.map { "\($0) ms" }]
        .compactMap(\.self)
    } else if !content.hasVehicle, let figures = content.figures {
      texts.append(figures.text)
    }
    if let machine = content.machine, machine.warning == .none { texts.append(machine.line(in: .current)) }
    return texts.joined(separator: ", ")
  }

  /// The warnings, the first of which is in the row's middle: what this machine will end the drive by, then that no telemetry arrives or
  /// what the vehicle says, then what will matter soon.
  private var messages: [String] {
    let vehicle = content.hasVehicle ? content.isStale ? [staleWord] : content.warnings : []
    guard let machine = content.machine else { return vehicle }
    let severe = machine.warnings(from: .severe, in: .current)
    return severe + vehicle + machine.warnings(from: .low, in: .current).dropFirst(severe.count)
  }

  private var isSevere: Bool { content.machine?.warning == .severe }
  private var alarm: Color { isSevere ? palette.red : palette.amber }

  private var staleWord: String { content.isRefused ? Language.current.refused : Language.current.noData }

  /// The font size in rows of that height.
  private static func letters(row: Double) -> Double { Lamp.fontSize(height: row) }

  /// The height for a width: if figures and message do not fit beside each other, the message has a separate row.
  static func height(width: Double, row: Double) -> Double {
    width < 20 * letters(row: row) ? (row * 1.8).rounded() : row
  }

  override func draw(_ canvas: Canvas) {
    guard content.hasVehicle || content.figures != nil || content.machine != nil else { return }
    let palette = palette
    let messages = messages
    let area = bounds.insetBy(dx: 0.5, dy: 0.5)
    let shape = Path(roundedRect: area, cornerRadius: min(area.height / 2, 14))
    canvas.fill(shape, palette.panel)
    canvas.stroke(shape, messages.isEmpty ? palette.hairline : alarm, width: 1)
    let isTall = bounds.width < 20 * TelemetryPanel.letters(row: bounds.height / 1.8)
    let row = isTall ? bounds.height / 1.8 : bounds.height
    let font = Font(size: TelemetryPanel.letters(row: row), weight: .semibold)
    let pad = font.size * 0.9
    let middle = isTall ? bounds.height * 0.28 : bounds.midY
    guard content.hasVehicle else {
      let room = Rect(x: pad, y: 0, width: bounds.width - 2 * pad, height: bounds.height)
      return messages.isEmpty ? drawFigures(canvas, font, in: room) : draw(messages, canvas, font, in: room)
    }
    let left = drawBattery(canvas, font, Point(x: pad, y: middle))
    let link = content.isStale ? "--" : content.link.map { "\($0) ms" } ?? "--"
    let isSlow = !content.isStale && (content.link ?? 0) >= TelemetryPanel.slowLink
    let place = Point(x: bounds.width - pad, y: middle + font.size * 0.36)
    canvas.draw(link, at: place, font: font, isSlow ? palette.amber : shade, anchor: .baselineRight)
    let right = bounds.width - pad - FontLibrary.shared.layout(link, font: font).size.width
    let room =
      isTall
      ? Rect(x: pad, y: bounds.height * 0.5, width: bounds.width - 2 * pad, height: bounds.height * 0.45)
      : Rect(x: left + pad, y: 0, width: max(right - left - 2 * pad, 1), height: bounds.height)
    if messages.isEmpty { drawFigures(canvas, font, in: room) } else { draw(messages, canvas, font, in: room) }
  }

  /// Draws the quality of the way and how this machine is in `room`, as much of it as fits.
  private func drawFigures(_ canvas: Canvas, _ font: Font, in room: Rect) {
    let figures = content.figures.map { [$0.text, $0.roundTripText] } ?? []
    let machine =
      content.machine.map { [$0.line(in: .current), $0.batteryLine(in: .current)].compactMap(\.self) } ?? []
    let both = figures.flatMap { text in machine.map { "\(text) · \($0)" } }
    let quiet = Font(size: font.size)
    // What is lost on the way is left out for the battery only while it is little.
    let texts = (content.figures?.needsAttention == true ? Array(both.prefix(1)) : both) + figures + machine
    let text = texts.first { FontLibrary.shared.layout($0, font: quiet).size.width <= room.width }
    guard let text else { return }
    let color = content.figures?.needsAttention == true ? palette.amber : palette.quietText
    canvas.draw(FontLibrary.shared.layout(text, font: quiet), at: room.center, color, anchor: .center)
  }

  private var shade: Color { content.isStale ? palette.quietText.withAlpha(0.6) : palette.text }

  /// Draws a battery that fills from the left, and its percentage beside it; returns the right end.
  private func drawBattery(_ canvas: Canvas, _ font: Font, _ start: Point) -> Double {
    let height = font.size * 0.72
    let body = Rect(x: start.x, y: (start.y - height / 2).rounded(), width: height * 1.9, height: height)
    let isLow = !content.isStale && content.isBatteryLow
    let color = isLow ? palette.red : shade
    canvas.stroke(Path(roundedRect: body, cornerRadius: height * 0.2), color, width: 1.5)
    let pole = Rect(x: body.maxX + 1.5, y: body.midY - height * 0.18, width: height * 0.14, height: height * 0.36)
    canvas.fill(Path(roundedRect: pole, cornerRadius: 1), color)
    if !content.isStale, let battery = content.battery {
      let inner = body.insetBy(dx: 2.5, dy: 2.5)
      let level = Rect(x: inner.minX, y: inner.minY, width: inner.width * Double(battery) / 100, height: inner.height)
      canvas.fill(Path(roundedRect: level, cornerRadius: height * 0.08), color)
    }
    let text = content.isStale ? "--" : content.battery.map { "\($0) %" } ?? "--"
    let place = Point(x: pole.maxX + font.size * 0.45, y: start.y + font.size * 0.36)
    canvas.draw(text, at: place, font: font, color, anchor: .baselineLeft)
    return place.x + FontLibrary.shared.layout(text, font: font).size.width
  }

  /// Draws the first message in `room`, truncated with an ellipsis if it is longer, with the number of further messages.
  private func draw(_ messages: [String], _ canvas: Canvas, _ font: Font, in room: Rect) {
    let text = messages.count > 1 ? "\(messages[0])  +\(messages.count - 1)" : messages[0]
    let layout = TextLayout(
      text, font: font, limits: TextLimits(width: room.width, lineCount: 1, direction: effectiveLayoutDirection))
    canvas.draw(layout, at: room.center, alarm, anchor: .center)
  }
}
