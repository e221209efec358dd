import JSON
import Testing
import UICore

@testable import cockpit

/// When a driver is told of the battery and the Wi-Fi of this machine.
@Suite struct MachineWatchTests {
  private func battery(_ percent: Int, isDischarging: Bool = true) -> MachineWarning {
    var watch = MachineWatch(usesNetwork: false)
    watch.note(MachineState(battery: MachineBattery(percent: percent, isDischarging: isDischarging)))
    return watch.notice?.batteryWarning ?? .severe
  }

  @Test func `a battery that gets empty is told at 20 per cent, and severely at 10`() {
    #expect([100, 21, 20, 11, 10, 0].map { battery($0) } == [.none, .none, .low, .low, .severe, .severe])
    #expect([20, 10, 0].allSatisfy { battery($0, isDischarging: false) == .none })
  }

  @Test func `a signal is told at -75 dBm, severely at -82, and is better by 3 dB before that ends`() {
    var watch = MachineWatch(usesNetwork: true)
    let levels: [(Int, MachineWarning)] = [
      (-50, .none), (-74, .none), (-75, .low), (-72, .low), (-71, .none), (-81, .low), (-82, .severe), (-79, .severe),
      (-78, .low), (-90, .severe), (-60, .none),
    ]
    for (level, warning) in levels {
      watch.note(MachineState(wireless: MachineWireless(isUp: true, level: level)))
      #expect(watch.notice?.wirelessWarning == warning && watch.notice?.level == level, "\(level)")
    }
  }

  @Test func `a Wi-Fi that was connected and is no longer is told, one that never was is not`() {
    var watch = MachineWatch(usesNetwork: true)
    watch.note(MachineState(wireless: MachineWireless(isUp: false)))
    #expect(watch.notice == nil)
    watch.note(MachineState(wireless: MachineWireless(isUp: true)))
    #expect(watch.notice == nil, "its level is unknown")
    watch.note(MachineState(wireless: MachineWireless(isUp: false)))
    #expect(watch.notice?.isWirelessGone == true && watch.notice?.warning == .severe)
    watch.note(MachineState(wireless: MachineWireless(isUp: true, level: -60)))
    #expect(watch.notice == MachineNotice(level: -60))
  }

  @Test func `no Wi-Fi matters where messages take another way`() {
    var local = MachineWatch(usesNetwork: false)
    local.note(MachineState(wireless: MachineWireless(isUp: true, level: -90)))
    #expect(local.notice == nil)
    var wired = MachineWatch(usesNetwork: true)
    wired.note(MachineState(wireless: MachineWireless(isUp: true, level: -90, hasCable: true)))
    #expect(wired.notice == MachineNotice(level: -90))
    wired.note(MachineState(wireless: MachineWireless(isUp: false, hasCable: true)))
    #expect(wired.notice == nil)
  }

  @Test func `the more urgent warning is said first, and what to do if it is severe`() {
    let notice = MachineNotice(battery: 18, batteryWarning: .low, level: -84, wirelessWarning: .severe)
    #expect(
      notice.warnings(from: .low, in: .english) == ["WI-FI WEAK: GO NEARER", "DEVICE BATTERY 18 %"])
    #expect(notice.warnings(from: .severe, in: .english) == ["WI-FI WEAK: GO NEARER"])
    #expect(notice.line(in: .english) == "DEVICE 18 % · Wi-Fi -84 dBm")
    #expect(MachineNotice(level: -61).line(in: .chinese) == "Wi-Fi -61 dBm")
  }

  @Test func `a record has what was told`() throws {
    let notices: [MachineNotice?] = [
      nil, MachineNotice(battery: 9, batteryWarning: .severe, level: -76, wirelessWarning: .low),
      MachineNotice(wirelessWarning: .severe, isWirelessGone: true),
    ]
    for notice in notices {
      let line = try JSONValue(Array("{\(SessionEvent.machine(notice).fields(since: .zero))}".utf8), .line)
      #expect(SessionEvent.read(line, since: .zero) == .machine(notice))
    }
    for text in [
      "[]", "[101,0,null,0,false]", "[50,3,null,0,false]", "[50,0,5,0,false]", "[50,0,null,0]", "[\"5\",0,null,0,true]",
      "7",
    ] {
      #expect(
        SessionEvent.read(try JSONValue(Array("{\"machine\":\(text)}".utf8), .line), since: .zero) == nil, "\(text)")
    }
  }
}
