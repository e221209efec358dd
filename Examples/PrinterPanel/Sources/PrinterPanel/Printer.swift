import ControlsUI

/// A part of the printer that is heated: it comes near its target, a step a second.
@Observable final class Heater: Identifiable {
  let id: String
  /// The greatest target, in degrees Celsius.
  let limit: Double
  /// The wanted temperature; 0 for off.
  var target = 0.0
  /// The temperatures so far, one a second, the newest last.
  private(set) var readings = [21.0]

  /// The present temperature.
  var temperature: Double { readings.last ?? 21 }

  init(_ name: String, limit: Double) { (id, self.limit) = (name, limit) }

  func step() {
    let goal = max(target, 21)
    readings.append(temperature + (goal - temperature) * 0.08)
  }
}

/// A file that can be printed.
struct PrintFile: Identifiable {
  let id: Int

  var name: String { "part-\(id).gcode" }
  var minutes: Int { 12 + id * 7 % 240 }
}

/// The direction of a step by hand.
enum Direction: String {
  case left = "X -"
  case right = "X +"
  case away = "Y +"
  case near = "Y -"
  case up = "Z +"
  case down = "Z -"
}

/// The pages of the panel.
enum Page: String, CaseIterable {
  case temperatures = "Heat"
  case files = "Files"
  case jog = "Move"
  case network = "Network"
}

/// A printer that is simulated: it moves and heats nothing.
@Observable final class Printer {
  var page = Page.temperatures
  let heaters = [Heater("Nozzle", limit: 280), Heater("Bed", limit: 110)]
  var fan = 0.4

  let files = (0..<100_000).map { PrintFile(id: $0) }
  var chosenFile: Int? { didSet { if chosenFile != oldValue { askedFile = nil } } }
  /// The file whose print waits for a confirmation; another choice takes the question back.
  var askedFile: PrintFile?
  private(set) var printing: PrintFile?
  /// True while the user is asked whether the print is to stop.
  var asksToStop = false
  /// How much of it is printed, 0...1.
  private(set) var progress = 0.0

  private(set) var position = (x: 0.0, y: 0.0, z: 10.0)
  /// The length of a step by hand, in millimetres.
  var stepLength = 1.0

  var hostName = "printer"
  var isWireless = true
  var network = "Workshop" { didSet { if network != oldValue { (password, connection) = ("", "Not connected") } } }
  /// What the user typed as the network's password; it is not kept once it has connected.
  var password = ""
  private(set) var connection = "Not connected"

  /// A second passes.
  func step() {
    for heater in heaters { heater.step() }
    guard let printing else { return }
    progress += 1 / Double(printing.minutes * 60)
    if progress >= 1 { stop() }
  }

  func print(_ file: PrintFile) {
    (printing, progress, askedFile) = (file, 0, nil)
    for (heater, target) in zip(heaters, [215.0, 60]) { heater.target = target }
  }

  func stop() {
    (printing, progress, asksToStop) = (nil, 0, false)
    for heater in heaters { heater.target = 0 }
  }

  /// The simulated network takes any password of eight characters.
  func connect() {
    guard password.count >= 8 else { return connection = "A password has eight characters or more" }
    (password, connection) = ("", "Connected to \(network)")
  }

  /// Nothing moves by hand while something is printed.
  func move(_ direction: Direction) {
    guard printing == nil else { return }
    switch direction {
    case .left: position.x -= stepLength
    case .right: position.x += stepLength
    case .away: position.y += stepLength
    case .near: position.y -= stepLength
    case .up: position.z += stepLength
    case .down: position.z = max(position.z - stepLength, 0)
    }
  }
}
