/// What the cockpit and its witness say to each other, one message in each record of a socket.
public enum WitnessMessage: Hashable, Sendable {
  /// Memory with pictures, whose descriptor comes along: its number, and its length in bytes. Memory of another length is forgotten.
  case memory(UInt64, count: Int)
  /// To read a picture in that memory: the question's number, and the cells to read.
  case question(UInt64, memory: UInt64, FrameShape, [Cell])
  /// What the cells of a question show.
  case answer(UInt64, [Reading])

  /// The length of the longest message in bytes.
  public static let mostBytes = 4096
  /// The number of memories that a witness keeps, the newest: a window has three pictures, and one may be of another window.
  public static let mostMemories = 4
  private static let (mostCells, mostTexts) = (16, 64)

  // MARK: Writing

  /// The message as bytes.
  public var bytes: [UInt8] {
    var writer = Writer()
    switch self {
    case .memory(let number, let count):
      writer.add(UInt8(1))
      writer.add(number)
      writer.add(UInt64(count))
    case .question(let number, let memory, let shape, let cells): writer.add(number, memory, shape, cells)
    case .answer(let number, let answers):
      writer.add(UInt8(3))
      writer.add(number)
      writer.add(UInt8(truncatingIfNeeded: answers.count))
      answers.forEach { writer.add($0) }
    }
    return writer.bytes
  }

  /// Replaces `bytes` by a question. It allocates nothing if they have room for it.
  public static func write(
    question number: UInt64, memory: UInt64, _ shape: FrameShape, _ cells: [Cell], to bytes: inout [UInt8]
  ) {
    var writer = Writer()
    swap(&writer.bytes, &bytes)
    writer.bytes.removeAll(keepingCapacity: true)
    writer.add(number, memory, shape, cells)
    swap(&writer.bytes, &bytes)
  }

  private struct Writer {
    var bytes: [UInt8] = []

    mutating func add(_ number: UInt64, _ memory: UInt64, _ shape: FrameShape, _ cells: [Cell]) {
      add(UInt8(2))
      add(number)
      add(memory)
      add(shape.width)
      add(shape.height)
      add(shape.stride)
      add(shape.offset)
      add(UInt8(truncatingIfNeeded: cells.count))
      for cell in cells { add(cell) }
    }

    mutating func add(_ value: UInt8) { bytes.append(value) }
    mutating func add(_ value: UInt64) { for shift in 0..<8 { bytes.append(UInt8(value >> UInt64(8 * shift) & 0xff)) } }
    mutating func add(_ value: Int) { add(UInt64(bitPattern: Int64(value))) }
    mutating func add(_ text: String) {
      let part = text.utf8.prefix(WitnessMessage.mostTexts)
      add(UInt8(part.count))
      bytes += part
    }
    mutating func add(_ area: PixelArea) {
      add(area.x)
      add(area.y)
      add(area.width)
      add(area.height)
    }
    mutating func add(_ cell: Cell) {
      add(cell.subject.rawValue)
      add(cell.x.bitPattern)
      add(cell.y.bitPattern)
      add(cell.size.bitPattern)
      add(cell.weight)
      add(cell.area)
      add(cell.lamp)
      add(UInt8(cell.isLit ? 1 : 0))
      add(cell.text)
      add(UInt8(min(cell.others.count, WitnessMessage.mostTexts)))
      for text in cell.others.prefix(WitnessMessage.mostTexts) { add(text) }
    }
    mutating func add(_ reading: Reading) {
      switch reading {
      case .right: add(UInt8(0))
      case .other(let text):
        add(UInt8(1))
        add(text ?? "")
      case .otherLight: add(UInt8(2))
      case .unreadable: add(UInt8(3))
      }
    }
  }

  // MARK: Reading

  /// The number of the answer in `bytes` that says that all of its cells are right, and how many; nil for any other message. It allocates
  /// nothing.
  public static func allRight(_ bytes: ArraySlice<UInt8>) -> (number: UInt64, cells: Int)? {
    var parser = Parser(rest: bytes)
    guard parser.byte() == 3, let number = parser.number(), let count = parser.byte(), parser.rest.count == count,
      parser.rest.allSatisfy({ $0 == 0 })
    else { return nil }
    return (number, Int(count))
  }

  /// The message in `bytes`; nil if they are none.
  public init?(_ bytes: ArraySlice<UInt8>) {
    var reader = Parser(rest: bytes)
    guard let kind = reader.byte(), let number = reader.number() else { return nil }
    switch kind {
    case 1:
      guard let count = reader.whole(), count > 0 else { return nil }
      self = .memory(number, count: count)
    case 2:
      guard let memory = reader.number(), let width = reader.whole(), let height = reader.whole(),
        let stride = reader.whole(), let offset = reader.whole(), let count = reader.byte(), count <= Self.mostCells
      else { return nil }
      var cells: [Cell] = []
      for _ in 0..<count {
        guard let cell = reader.cell() else { return nil }
        cells.append(cell)
      }
      self = .question(
        number, memory: memory, FrameShape(width: width, height: height, stride: stride, offset: offset), cells)
    case 3:
      guard let count = reader.byte(), count <= Self.mostCells else { return nil }
      var answers: [Reading] = []
      for _ in 0..<count {
        guard let answer = reader.reading() else { return nil }
        answers.append(answer)
      }
      self = .answer(number, answers)
    default: return nil
    }
    guard reader.rest.isEmpty else { return nil }
  }

  private struct Parser {
    var rest: ArraySlice<UInt8>

    mutating func byte() -> UInt8? { rest.popFirst() }

    mutating func number() -> UInt64? {
      guard rest.count >= 8 else { return nil }
      var value: UInt64 = 0
      for index in 0..<8 { value |= UInt64(rest[rest.startIndex + index]) << UInt64(8 * index) }
      rest = rest.dropFirst(8)
      return value
    }

    mutating func whole() -> Int? { number().map { Int(Int64(bitPattern: $0)) } }

    mutating func text() -> String? {
      guard let count = byte(), rest.count >= count, count <= WitnessMessage.mostTexts else { return nil }
      defer { rest = rest.dropFirst(Int(count)) }
      return String(decoding: rest.prefix(Int(count)), as: UTF8.self)
    }

    mutating func area() -> PixelArea? {
      guard let x = whole(), let y = whole(), let width = whole(), let height = whole() else { return nil }
      return PixelArea(x: x, y: y, width: width, height: height)
    }

    mutating func cell() -> Cell? {
      guard let subject = byte().flatMap(Cell.Subject.init), let x = number(), let y = number(), let size = number(),
        let weight = whole(), let area = self.area(), let lamp = self.area(), let isLit = byte(),
        let text = self.text(),
        let count = byte(), count <= WitnessMessage.mostTexts
      else { return nil }
      var cell = Cell(
        subject, text, x: Double(bitPattern: x), y: Double(bitPattern: y), size: Double(bitPattern: size),
        weight: weight, area: area)
      (cell.lamp, cell.isLit) = (lamp, isLit != 0)
      for _ in 0..<count {
        guard let other = self.text() else { return nil }
        cell.others.append(other)
      }
      return cell
    }

    mutating func reading() -> Reading? {
      switch byte() {
      case 0: .right
      case 1: text().map { .other($0.isEmpty ? nil : $0) }
      case 2: .otherLight
      case 3: .unreadable
      default: nil
      }
    }
  }
}
