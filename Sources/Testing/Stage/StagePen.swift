internal import WaylandServer

/// A stylus (zwp_tablet_tool_v2) with its tablet and a pad. After its events a script must call `frame()`: the stage sends no
/// frame itself.
public final class StagePen {
  /// True if the stylus reports pressure.
  public let hasPressure: Bool
  /// The cursor that the client chose since the stylus last came into proximity; nil if it has not chosen one yet.
  public private(set) var cursor: StageCursor?
  /// The serial of the `down` event while the tip is down; nil otherwise.
  private(set) var downSerial: UInt32?

  private var pads: [ZwpTabletPadV2Resource] = []
  private var tools: [(tool: ZwpTabletToolV2Resource, tablet: ZwpTabletV2Resource)] = []
  private var focus: StageSurface?
  private var proximitySerial: UInt32 = 0
  private weak var seat: StageSeat?

  init(hasPressure: Bool, seat: StageSeat) {
    self.hasPressure = hasPressure
    self.seat = seat
    for bound in seat.tabletSeats { introduce(to: bound) }
  }

  /// The number of tool objects that clients have not destroyed.
  public var boundCount: Int { tools.count }

  /// Brings the stylus into proximity of `surface` (by default the first window's).
  public func enterProximity(on surface: StageSurface? = nil) {
    guard let seat, let surface = surface ?? seat.stage?.frontSurface else { return }
    focus = surface
    cursor = nil
    proximitySerial = seat.nextSerial()
    for (tool, tablet) in focused {
      tool.sendProximityIn(serial: proximitySerial, tablet: tablet, surface: surface.resource)
    }
  }

  /// Takes the stylus out of proximity. Clients get no `up`.
  public func leaveProximity() {
    for (tool, _) in focused { tool.sendProximityOut() }
    focus = nil
    downSerial = nil
  }

  /// Moves the stylus to a position in the surface's logical points.
  public func move(_ x: Double, _ y: Double) {
    for (tool, _) in focused { tool.sendMotion(x: x, y: y) }
  }

  /// Sets the tip's pressure, from 0 to 1.
  public func press(_ pressure: Double) {
    for (tool, _) in focused { tool.sendPressure(pressure: UInt32((pressure * 65_535).rounded())) }
  }

  /// Puts the tip down; returns the event's serial.
  @discardableResult
  public func down() -> UInt32 {
    guard let seat else { return 0 }
    let serial = seat.nextSerial()
    downSerial = serial
    for (tool, _) in focused { tool.sendDown(serial: serial) }
    return serial
  }

  /// Lifts the tip.
  public func up() {
    downSerial = nil
    for (tool, _) in focused { tool.sendUp() }
  }

  /// Ends the frame of events since the last one, with the current time.
  public func frame() {
    seat?.noteActivity()
    guard let seat else { return }
    for (tool, _) in focused { tool.sendFrame(time: seat.time) }
  }

  /// Announces to a client the tablet, the stylus, and a pad with one group of a ring and a strip.
  func introduce(to bound: ZwpTabletSeatV2Resource) {
    guard let tablet = bound.make(ZwpTabletV2Resource.self), let tool = bound.make(ZwpTabletToolV2Resource.self),
      let pad = bound.make(ZwpTabletPadV2Resource.self), let group = pad.make(ZwpTabletPadGroupV2Resource.self),
      let ring = group.make(ZwpTabletPadRingV2Resource.self), let strip = group.make(ZwpTabletPadStripV2Resource.self)
    else { return }
    bound.sendTabletAdded(id: tablet)
    tablet.sendName(name: "stage")
    tablet.sendDone()
    bound.sendToolAdded(id: tool)
    tool.sendType(toolType: .pen)
    if hasPressure { tool.sendCapability(capability: .pressure) }
    tool.sendDone()
    bound.sendPadAdded(id: pad)
    pad.sendGroup(padGroup: group)
    group.sendRing(ring: ring)
    group.sendStrip(strip: strip)
    group.sendDone()
    pad.sendDone()
    pads.append(pad)
    tools.append((tool, tablet))
    seat?.stage?.own(self, for: tool)
    tool.whenDestroyed { [weak self, weak tool] in self?.tools.removeAll { $0.tool === tool } }
    tool.onRequest = { [unowned self, unowned tool] in
      guard case .setCursor(let serial, let target, let x, let y) = $0, let stage = seat?.stage else { return }
      choose(stage.cursor(target, x, y, or: .toolCursorRole, on: tool), serial: serial)
    }
  }

  /// Notifies clients that the stylus, its tablet and the pad are gone. Clients get no proximity_out.
  func remove() {
    for (tool, tablet) in tools {
      tool.sendRemoved()
      tablet.sendRemoved()
    }
    for pad in pads { pad.sendRemoved() }
    pads.removeAll()
    focus = nil
    downSerial = nil
  }

  /// Forgets a destroyed surface.
  func forget(_ surface: StageSurface) {
    if focus === surface { focus = nil }
  }

  /// Records the client's cursor if `serial` is that of the last proximity_in; ignores it otherwise.
  func choose(_ cursor: StageCursor, serial: UInt32) {
    if serial == proximitySerial { self.cursor = cursor }
  }

  private var focused: [(tool: ZwpTabletToolV2Resource, tablet: ZwpTabletV2Resource)] {
    guard let focus, focus.resource.isAlive else { return [] }
    return tools.filter { $0.tool.hasClient(of: focus.resource) && $0.tablet.isAlive }
  }
}

extension StageSeat {
  /// Plugs in a tablet with a stylus.
  @discardableResult
  public func addPen(hasPressure: Bool = true) -> StagePen {
    let pen = StagePen(hasPressure: hasPressure, seat: self)
    pens.append(pen)
    return pen
  }

  /// Unplugs the tablet of a stylus.
  public func remove(_ pen: StagePen) {
    pen.remove()
    pens.removeAll { $0 === pen }
  }
}

extension Stage {
  func handle(_ request: ZwpTabletManagerV2Resource.Request) {
    guard case .getTabletSeat(let made, let target) = request, let seat: StageSeat = model(target) else { return }
    list(made, in: \.tabletSeats, of: seat)
    for pen in seat.pens { pen.introduce(to: made) }
  }
}
