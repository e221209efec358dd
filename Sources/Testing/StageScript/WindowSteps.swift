import JSON
import Stage

extension StepKind {
  /// What compositors do to windows and popups.
  static let windowSteps: [StepKind] = [
    StepKind(
      "configure", "Gives a window a size and states.",
      [
        StepParameter(
          "width", .whole(0...16_384), "the width in logical points; 0, the default, leaves it to the client"),
        StepParameter("height", .whole(0...16_384), "the height, in the same way"),
        StepParameter("states", .choices(WindowStates.names), "all states; `[\"activated\"]` by default"), window,
      ], ClientRun.configure),
    StepKind(
      "storm",
      "Resizes a window many times, without waiting for the client in between, as a user does who drags its edge.",
      [
        StepParameter("count", .whole(1...10_000), "how many sizes; 50 by default"),
        StepParameter("least", .whole(1...16_384), "the smallest side in logical points; 100 by default"),
        StepParameter("most", .whole(1...16_384), "the largest side; 900 by default"), window,
      ], ClientRun.storm),
    StepKind("suspend", "Hides a window: the state `suspended`, and no frame callbacks.", [window], ClientRun.suspend),
    StepKind("resume", "Shows a suspended window again.", [window], ClientRun.resume),
    StepKind("close", "Asks the client to close a window.", [window], ClientRun.close),
    StepKind("dismiss", "Dismisses every popup, as a press elsewhere does.", [], ClientRun.dismiss),
    StepKind(
      "scale", "Changes the scale of every output and surface.",
      [StepParameter("to", .number(0.1...20), isRequired: true, "pixels per logical point, in 120ths")], ClientRun.scale
    ),
  ]

  /// Outputs, seats and globals that come and go.
  static let outputSteps: [StepKind] = [
    StepKind("add-output", "Plugs in an output.", [output] + modes, ClientRun.addOutput),
    StepKind("change-output", "Changes the mode of an output.", [output] + modes, ClientRun.changeOutput),
    StepKind("remove-output", "Unplugs an output.", [output], ClientRun.removeOutput),
    StepKind(
      "add-seat", "Adds a seat.",
      [StepParameter("name", .text, "its name; `seat` and a number by default"), devices(isRequired: false)],
      ClientRun.addSeat),
    StepKind(
      "remove-seat", "Removes the first seat, or the one with a name.",
      [
        StepParameter("name", .text, "its name"),
        StepParameter("quietly", .flag, "true to remove it without announcing first that its devices are gone"),
      ], ClientRun.removeSeat),
    StepKind(
      "devices", "Plugs the first seat's devices in and out.", [devices(isRequired: true)], ClientRun.setDevices),
    StepKind(
      "remove-global", "Withdraws a global.",
      [StepParameter("interface", .text, isRequired: true, "its interface, such as `wl_output`")],
      ClientRun.removeGlobal),
  ]

  private static let output = StepParameter(
    "name", .text, "the output's name; for a new one `output` and a number by default, otherwise the first one's")
  private static let modes = [
    StepParameter("width", .whole(1...16_384), "pixels; 1280 for a new output"),
    StepParameter("height", .whole(1...16_384), "pixels; 720 for a new output"),
    StepParameter("scale", .whole(1...10), "the whole scale; 1 for a new output"),
    StepParameter("hertz", .number(1...1000), "the refresh rate; 60 for a new output"),
  ]
  private static func devices(isRequired: Bool) -> StepParameter {
    StepParameter(
      "devices", .choices(["pointer", "keyboard", "touch"]), isRequired: isRequired,
      "all its devices" + (isRequired ? "" : "; all three by default"))
  }
}

extension ClientRun {
  func configure(_ arguments: StepArguments) throws(StepFailure) {
    let window = try toplevel(arguments)
    window.configure(
      arguments.whole("width", or: 0), arguments.whole("height", or: 0),
      arguments.words("states").map(WindowStates.states) ?? [.activated])
  }

  func storm(_ arguments: StepArguments) throws(StepFailure) -> StepKind.Reply {
    let window = try toplevel(arguments)
    let least = arguments.whole("least", or: 100)
    let most = max(least, arguments.whole("most", or: 900))
    func side() -> Int {
      random ^= random << 13
      random ^= random >> 7
      random ^= random << 17
      return least + Int(random % UInt64(most - least + 1))
    }
    for round in 0..<arguments.whole("count", or: 50) {
      window.configure(side(), side(), [.activated, .resizing])
      stage.exchange()
      // A refresh now and then, so that the client draws in the middle of it.
      if round % 5 == 4 { advance(by: .milliseconds(17)) }
    }
    window.configure(window.configured?.width ?? 0, window.configured?.height ?? 0)
    advance(by: .milliseconds(34))
    return [:]
  }

  func suspend(_ arguments: StepArguments) throws(StepFailure) {
    try toplevel(arguments).suspend()
  }

  func resume(_ arguments: StepArguments) throws(StepFailure) {
    try toplevel(arguments).resume()
  }

  func close(_ arguments: StepArguments) throws(StepFailure) {
    try toplevel(arguments).close()
  }

  func dismiss(_ arguments: StepArguments) throws(StepFailure) {
    for popup in stage.popups.reversed() { popup.dismiss() }
  }

  func scale(_ arguments: StepArguments) throws(StepFailure) {
    let scale = Scale(arguments.number("to", or: 1))
    stage.scale = scale
    for output in stage.outputs {
      output.scale = scale.ceiling
      output.announce()
    }
    for surface in stage.surfaces { surface.prefer(scale) }
  }

  // MARK: Outputs

  func addOutput(_ arguments: StepArguments) throws(StepFailure) -> StepKind.Reply {
    if let name = arguments.text("name"), stage.outputs.contains(where: { $0.name == name }) {
      throw StepFailure("there is an output \"\(name)\"")
    }
    let output = stage.addOutput(
      name: arguments.text("name"),
      mode: PixelSize(width: arguments.whole("width", or: 1280), height: arguments.whole("height", or: 720)),
      scale: arguments.whole("scale", or: 1), refresh: Int(arguments.number("hertz", or: 60) * 1000))
    // Windows without an output move to the new one.
    for surface in stage.surfaces where surface.isMapped && surface.role.isWindow && surface.outputs.isEmpty {
      surface.enter(output)
    }
    awaitRest()
    return ["name": .string(output.name)]
  }

  func changeOutput(_ arguments: StepArguments) throws(StepFailure) {
    let output = try output(arguments)
    output.mode = PixelSize(
      width: arguments.whole("width", or: output.mode.width), height: arguments.whole("height", or: output.mode.height))
    output.scale = arguments.whole("scale", or: output.scale)
    output.refresh = arguments.number("hertz").map { Int($0 * 1000) } ?? output.refresh
    output.announce()
  }

  func removeOutput(_ arguments: StepArguments) throws(StepFailure) {
    stage.remove(try output(arguments))
  }

  private func output(_ arguments: StepArguments) throws(StepFailure) -> StageOutput {
    let name = arguments.text("name")
    guard let output = stage.outputs.first(where: { name == nil || $0.name == name }) else {
      throw StepFailure(name.map { "there is no output \"\($0)\"" } ?? "there is no output")
    }
    return output
  }

  // MARK: Seats and globals

  func addSeat(_ arguments: StepArguments) throws(StepFailure) -> StepKind.Reply {
    let seat = stage.addSeat(
      name: arguments.text("name"),
      capabilities: Setup.devices(arguments.words("devices") ?? ["pointer", "keyboard", "touch"]) ?? [])
    seat.keymap = KeyTable.keymap
    awaitRest()
    return ["name": .string(seat.name)]
  }

  func removeSeat(_ arguments: StepArguments) throws(StepFailure) {
    let name = arguments.text("name")
    guard let seat = stage.seats.first(where: { name == nil || $0.name == name }) else {
      throw StepFailure(name.map { "there is no seat \"\($0)\"" } ?? "there is no seat")
    }
    stage.remove(seat, notifiesDevices: !arguments.flag("quietly"))
    heldKeys = []
    stylus = nil
  }

  func setDevices(_ arguments: StepArguments) throws(StepFailure) {
    try seat().capabilities = Setup.devices(arguments.words("devices") ?? []) ?? []
    heldKeys = []
  }

  /// The first seat, which must have a device.
  func seat(with device: StageSeat.Capabilities = []) throws(StepFailure) -> StageSeat {
    guard let seat = stage.seats.first else { throw StepFailure("there is no seat") }
    guard seat.capabilities.isSuperset(of: device) else {
      let name = device == .pointer ? "pointer" : device == .keyboard ? "keyboard" : "touch screen"
      throw StepFailure("the seat has no \(name)")
    }
    return seat
  }

  func removeGlobal(_ arguments: StepArguments) throws(StepFailure) {
    let interface = arguments.text("interface") ?? ""
    guard stage.withdrawGlobal(interface) else { throw StepFailure("there is no global \(interface)") }
  }
}
