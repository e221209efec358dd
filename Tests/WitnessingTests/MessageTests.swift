import TestSupport
import Testing

@testable import Witnessing

@Suite struct MessageTests {
  private func cell(_ random: inout Random) -> Cell {
    func area() -> PixelArea {
      PixelArea(x: random.below(9000) - 9, y: random.below(900), width: random.below(99), height: 4)
    }
    var cell = Cell(
      Cell.Subject.allCases[random.below(4)], "TEXT", x: random.number(-1e9, 1e9), y: .infinity, size: 12.5,
      weight: 700,
      area: PixelArea(x: 1, y: 2, width: 3, height: 4))
    cell.area = area()
    cell.lamp = area()
    cell.isLit = random.below(2) == 0
    cell.others = ["已停止", ""]
    return cell
  }

  @Test func `messages arrive as they were sent, and damaged ones are none or others, never a crash`() {
    var random = Random(3)
    for number in 0..<200 {
      let cells = (0..<random.below(5)).map { _ in cell(&random) }
      let messages: [WitnessMessage] = [
        .memory(.max, count: 1 + random.below(1 << 30)),
        .question(UInt64(number), memory: 3, FrameShape(width: 1, height: -2, stride: 3, offset: .max), cells),
        .answer(9, [.right, .other(nil), .other("7"), .otherLight, .unreadable]),
      ]
      for message in messages {
        let bytes = message.bytes
        #expect(WitnessMessage(bytes[...]) == message && bytes.count <= WitnessMessage.mostBytes)
        #expect(WitnessMessage(bytes.dropLast()) == nil && WitnessMessage((bytes + [0])[...]) == nil)
        var damaged = bytes
        for _ in 0..<1 + random.below(4) { damaged[random.below(damaged.count)] = UInt8(random.below(256)) }
        _ = WitnessMessage(damaged[...])
      }
    }
    #expect(WitnessMessage([][...]) == nil)
  }
}
