import UICore
import WaylandServer

/// A zwp_tablet_tool_v2 with its tablet. Nothing is sent that the script does not say: no frame.
public final class StagePen {
  /// True when it tells its pressure.
  public let hasPressure: Bool
  /// The picture that the client chose; nil before, and again after every coming near.
  public private(set) var cursor: StageCursor?
  /// The serial of the tip's coming down, while it is down.
  private(set) var downSerial: UInt32?

  private var tools: [(tool: ZwpTabletToolV2Resource, tablet: ZwpTabletV2Resource)] = []
  private var focus: StageSurface?
  private var nearSerial: UInt32 = 0
  private unowned let seat: StageSeat

  init(hasPressure: Bool, seat: StageSeat) {
    self.hasPressure = hasPressure
    self.seat = seat
    for bound in seat.tabletSeats { introduce(to: bound) }
  }

  /// The objects of it that clients hold.
  public var boundCount: Int { tools.count }

  /// The pen comes near `surface` (else the first window's).
  public func comeNear(on surface: StageSurface? = nil) {
    guard let surface = surface ?? seat.stage.frontSurface else { return }
    focus = surface
    cursor = nil
    nearSerial = seat.stage.display.nextSerial()
    for (tool, tablet) in focused {
      tool.sendProximityIn(serial: nearSerial, tablet: tablet, surface: surface.resource)
    }
  }

  /// The pen goes away.
  public func goAway() {
    for (tool, _) in focused { tool.sendProximityOut() }
    focus = nil
    downSerial = nil
  }

  /// The pen is at a place in the surface's logical points.
  public func move(_ x: Double, _ y: Double) {
    for (tool, _) in focused { tool.sendMotion(x: x, y: y) }
  }

  /// The tip presses so hard, from 0 to 1.
  public func press(_ pressure: Double) {
    for (tool, _) in focused { tool.sendPressure(pressure: UInt32((pressure * 65_535).rounded())) }
  }

  /// The tip comes down; the event's serial.
  @discardableResult
  public func down() -> UInt32 {
    let serial = seat.stage.display.nextSerial()
    downSerial = serial
    for (tool, _) in focused { tool.sendDown(serial: serial) }
    return serial
  }

  /// The tip is lifted.
  public func up() {
    downSerial = nil
    for (tool, _) in focused { tool.sendUp() }
  }

  /// What was sent since the last frame belongs together.
  public func frame() {
    for (tool, _) in focused { tool.sendFrame(time: seat.stage.clock.milliseconds) }
  }

  /// Tells a client of the tablet, the pen, and a pad with a group of every kind of part.
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
    seat.stage.own(self, for: tool) { [weak self, weak tool] in self?.tools.removeAll { $0.tool === tool } }
    tool.onRequest = { [weak self] in self?.handle($0) }
  }

  private var pads: [ZwpTabletPadV2Resource] = []

  /// Takes the pen, its tablet and the pad away.
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

  /// Forgets a surface that has ended.
  func forget(_ surface: StageSurface) {
    if focus === surface { focus = nil }
  }

  /// Takes the client's choice of a cursor, made with the serial of the pen's coming near.
  func choose(_ cursor: StageCursor, serial: UInt32) {
    if serial == nearSerial { self.cursor = cursor }
  }

  private func handle(_ request: ZwpTabletToolV2Resource.Request) {
    guard case .setCursor(let serial, let target, let x, let y) = request else { return }
    if let target, let surface: StageSurface = seat.stage.model(target) {
      surface.role = .cursor
      choose(.surface(surface, hotspot: Point(x: Double(x), y: Double(y))), serial: serial)
    } else {
      choose(.hidden, serial: serial)
    }
  }

  private var focused: [(tool: ZwpTabletToolV2Resource, tablet: ZwpTabletV2Resource)] {
    guard let focus, focus.resource.isAlive else { return [] }
    return tools.filter { $0.tool.client == focus.resource.client && $0.tablet.isAlive }
  }
}

extension StageSeat {
  /// Plugs a tablet with a pen in.
  @discardableResult
  public func addPen(hasPressure: Bool = true) -> StagePen {
    let pen = StagePen(hasPressure: hasPressure, seat: self)
    pens.append(pen)
    return pen
  }

  /// Unplugs the tablet of a pen.
  public func remove(_ pen: StagePen) {
    pen.remove()
    pens.removeAll { $0 === pen }
  }
}

extension Stage {
  /// Serves a bound zwp_tablet_manager_v2.
  func serve(_ manager: ZwpTabletManagerV2Resource) {
    manager.onRequest = { [weak self] request in
      guard let self, case .getTabletSeat(let made, let target) = request,
        let seat: StageSeat = target.flatMap({ self.model($0) })
      else { return }
      seat.tabletSeats.append(made)
      made.onDestroy = { [weak seat, weak made] in seat?.tabletSeats.removeAll { $0 === made } }
      for pen in seat.pens { pen.introduce(to: made) }
    }
  }
}
