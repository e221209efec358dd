import ControlHarness
import Controls
import Glibc
import Stage
import Testing
import UICore

@testable import DriveLink
@testable import cockpit

/// Tests of the screen's texts on the link, on the drive and on its end.
@MainActor @Suite(.serialized) struct LinkTellingTests {
  private func notice(_ desk: DriveDesk) -> LossNotice? { desk.scene.lossDisplay?.banner.notice }

  private func link(_ status: DriveSender.Status, _ desk: DriveDesk) {
    desk.relay.record(.link(status)) { desk.output.noteLink(status) }
    desk.refresh()
  }

  @Test(
    arguments: [
      ("bridge:donkey:x", ENOENT, .noBridge), ("bridge:donkey:x", EAGAIN, .bridgeFails),
      ("bridge:donkey:x", EACCES, .bridgeFails), ("bridge:donkey:x", EBUSY, nil), ("bridge:donkey:x", EPIPE, nil),
      ("udp:car.local:5005", EAGAIN, .noRoom), ("udp:car.local:5005", EHOSTUNREACH, nil),
      ("unix:/run/car", EMFILE, .noRoom), ("unix:/run/car", ENOENT, nil),
      ("unix:/run/car", ECONNREFUSED, nil), ("unix:/run/car", EAGAIN, nil),
    ] as [(String, Int32, LinkFault?)])
  func `what this machine refuses is an error that is reported, a consumer that is not there yet is none`(
    text: String, errno: Int32, fault: LinkFault?
  ) throws {
    let place = try #require(DriveEndpoint(text))
    #expect(LinkFault(.waiting, errno, to: place) == fault)
    #expect(LinkFault(.open, errno, to: place) == nil && LinkFault(.stalled, errno, to: place) == nil)
    #expect(LinkFault(.ended, EBADF, to: place) == (text.hasPrefix("bridge") ? .bridgeRefuses : .noReader))
  }

  @Test func `each fault of this machine has short words of its own, and is told aloud`() {
    for language in [Language.english, .chinese] {
      let notices = LinkFault.allCases.map { fault in
        var notice = LossNotice(reason: .linkLost)
        (notice.isUnlinked, notice.fault) = (true, fault)
        return notice
      }
      #expect(Set(notices.map { $0.cause(in: language) }).count == LinkFault.allCases.count)
      #expect(notices.allSatisfy { !$0.isQuiet && $0.cause(in: language).count <= 18 })
    }
    #expect(Set(LinkFault.allCases.map { $0.message(ENOENT) }).count == LinkFault.allCases.count)
  }

  @Test func `a cockpit-bridge that is not installed is named on the screen before anybody drives, until it is`() throws
  {
    let program = "/tmp/cockpit-no-bridge-\(UInt32.random(in: 0...(.max)))"
    defer { unlink(program) }
    let place = DriveEndpoint.bridge(receiver: "donkey:x")
    let desk = try DriveDesk(place: place) { stream in
      let mailbox = try Mailbox(stream: stream, hangLimit: .seconds(60), now: .system)
      return try DriveSender(mailbox, to: place, lookup: NameLookup(), program: program)
    }
    func wait(_ isTrue: () -> Bool) {
      let end = MonotonicTime.system + .seconds(10)
      while !isTrue(), MonotonicTime.system < end { desk.settle() }
    }
    wait { notice(desk) != nil }
    #expect(notice(desk)?.cause(in: .english) == "No cockpit-bridge" && desk.line.state == .ready)
    #expect(notice(desk)?.remedy(in: .english) == "Install it to go on")
    #expect(desk.scene.lossDisplay?.banner.accessibilityRole == .alert)
    #expect(desk.scene.cluster.beacon.status == .noLink)
    desk.takeLever(to: .forward(5))
    #expect(desk.line.reason == .linkLost && notice(desk)?.cause(in: .english) == "No cockpit-bridge")
    let text = "#!/bin/sh\nexec cat <&3 >/dev/null\n"
    let file = open("\(program).part", O_WRONLY | O_CREAT | O_CLOEXEC, 0o755)
    #expect(write(file, text, text.utf8.count) == text.utf8.count && close(file) == 0)
    rename("\(program).part", program)
    wait { desk.output.link == .open }
    #expect(notice(desk)?.cause(in: .english) == "Link lost")
    #expect(notice(desk)?.remedy(in: .english) == "Lift, then touch the lever")
    desk.end()
  }

  @Test(arguments: [DriveSender.Status.waiting, .stalled, .ended])
  func `a lost link ends the drive, is told, and needs a new touch when it is back`(status: DriveSender.Status) throws {
    let desk = try DriveDesk(isDeadMan: false)
    let lamp = desk.scene.cluster.beacon
    #expect(lamp.status == .ready)
    desk.takeLever(to: .forward(5))
    #expect(lamp.status == .driving && notice(desk) == nil)
    link(status, desk)
    #expect(desk.line.state == .safe && desk.line.reason == .linkLost && desk.line.command == .neutral)
    #expect(lamp.status == .noLink && desk.scene.gearbox.gear == .neutral)
    #expect(notice(desk)?.reason == .linkLost && notice(desk)?.remedy(in: .english) == "Waiting for the link")
    link(.open, desk)
    desk.move(1, to: desk.scene.lever(.forward(8)))
    #expect(desk.line.state == .safe && lamp.status == .stopped)
    #expect(notice(desk)?.remedy(in: .english) == "Lift, then touch the lever")
    desk.lift(1)
    #expect(notice(desk)?.remedy(in: .english) == "Touch the lever to go on")
    desk.takeLever(to: .forward(3))
    #expect(desk.line.state == .driving && lamp.status == .driving)
    desk.end()
  }

  @Test func `a consumer that dies under a lever in gear, from the socket to the card`() throws {
    let path = "/tmp/cockpit-link-\(UInt32.random(in: 0...(.max)))"
    let listener = try listen(at: path)
    let desk = try DriveDesk(isDeadMan: false) { try DriveSender(to: .unix(path: path), stream: $0) }
    let consumer = try takeFirstLine(listener)
    desk.takeLever(to: .forward(5))
    #expect(desk.line.state == .driving)
    close(consumer)
    close(listener)
    unlink(path)
    let end = MonotonicTime.system + .seconds(5)
    while desk.line.state == .driving, MonotonicTime.system < end { desk.settle() }
    #expect(desk.line.reason == .linkLost && desk.scene.cluster.beacon.status == .noLink)
    #expect(notice(desk)?.reason == .linkLost)
    desk.end()
  }

  @Test func `the lamp of a cockpit that drives nothing says only that it is ready`() {
    let scene = CockpitScene()
    let output = DriveOutput(scene: scene, isDeadMan: true, stream: DriveStream(rate: 30, at: .zero), sink: nil)
    output.evaluate(at: .zero)
    #expect(scene.cluster.beacon.status == nil && scene.cluster.speedometer.isKnown)
    #expect(scene.cluster.beacon.inspection.values["status"] == nil)
  }

  @Test func `the lamp pulses only when it is ready`() throws {
    let scene = CockpitScene()
    let harness = ControlHarness(size: Size(width: 480, height: 320), root: scene)
    harness.frame()
    let lamp = scene.cluster.beacon
    for (status, pulses) in [
      (DriveLamp.ready, true), (.driving, false), (.stopped, false), (.noLink, false), (.ready, true),
    ] {
      lamp.status = status
      #expect(lamp.isPulsing == pulses, "\(status)")
    }
    lamp.isEnabled = false
    lamp.status = .noLink
    #expect(!lamp.isPulsing)
  }

  @Test func `no speed is shown of a real vehicle that tells none`() throws {
    let desk = try DriveDesk()
    let dial = desk.scene.cluster.speedometer
    #expect(!dial.isKnown)
    desk.takeLever(to: .forward(9))
    desk.pass(.seconds(3))
    #expect(!dial.isKnown && dial.speed == 0 && dial.gear == "9")
    desk.end()
  }

  @Test func `what is driven is told for three seconds, or until somebody drives`() throws {
    var options = Options()
    options.receiver = .unix(path: "/run/car.sock")
    options.deadMan = false
    options.settingsFile = SettingsFile(path: "/home/me/.config/cockpit/config.json", options: [.drive, .deadMan])
    let summary = try #require(DriveSummary(options))
    #expect(
      summary.line
        == "drives unix:/run/car.sock (set by /home/me/.config/cockpit/config.json), dead-man OFF "
        + "(set by /home/me/.config/cockpit/config.json)")
    for drives in [false, true] {
      let desk = try DriveDesk()
      desk.session.begin(summary, on: desk.scene)
      desk.refresh()
      let shown = try #require(notice(desk))
      #expect(shown.cause(in: .english) == "unix:/run/car.sock (config.json)" && shown.isQuiet)
      #expect(shown.remedy(in: .english) == "Dead-man OFF (config.json)")
      if drives {
        desk.takeLever(to: .forward(2))
        #expect(notice(desk) == nil)
      } else {
        desk.pass(.milliseconds(2500))
        #expect(notice(desk) != nil)
        desk.pass(.milliseconds(700))
        #expect(notice(desk) == nil)
      }
      desk.end()
    }
    options.settingsFile?.options = [.drive]
    let halfSet = try #require(DriveSummary(options))
    #expect(halfSet.receiver == "unix:/run/car.sock (config.json)" && halfSet.setting(in: .english) == "Dead-man OFF")
    options.settingsFile = nil
    #expect(DriveSummary(options)?.line == "drives unix:/run/car.sock, dead-man OFF")
    options.receiver = nil
    #expect(DriveSummary(options) == nil)
  }

  @Test func `the remedy names what the scene has`() {
    var notice = LossNotice(reason: .hidden)
    notice.drivesByWheel = true
    #expect(notice.remedy(in: .english) == "Touch the wheel to go on")
    notice.isStillHeld = true
    #expect(notice.remedy(in: .chinese) == "先抬起，再触摸方向盘")
    notice.isStopped = true
    #expect(notice.remedy(in: .english) == "Hold STOP to release it")
  }

  @Test func `an end of a drive is told in passing, a fault as an alarm`() throws {
    let scene = CockpitScene()
    let harness = ControlHarness(size: Size(width: 480, height: 320), root: scene)
    harness.frame()
    for reason in LossNotice.reasons {
      scene.showLoss(LossNotice(reason: reason), ignored: [])
      #expect(scene.lossDisplay?.banner.accessibilityRole == (reason == .lift ? .label : .alert), "\(reason)")
      scene.showLoss(nil, ignored: [])
    }
  }

  @Test func `the screen stays awake while anything is commanded, by a latched lever too`() throws {
    let desk = try DriveDesk(isDeadMan: false)
    let idle = ScreenAwake(scene: desk.scene)
    desk.session.onCommandingChange = { idle.isCommanding = $0 }
    desk.takeLever(to: .forward(5))
    desk.lift(1)
    desk.pass(.seconds(1))
    #expect(desk.line.command.gear == 5 && idle.isHeld)
    desk.session.reportLoss(.sensorLost)
    desk.settle()
    #expect(!idle.isHeld)
    desk.end()
  }
}
