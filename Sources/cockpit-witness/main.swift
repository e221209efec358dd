import CLinux
import CSockets
import Glibc
import Linux
import Witnessing

/// Reads the cockpit's screen for it: `cockpit --drive` starts this program, with one end of a socket as descriptor 3. It draws nothing and
/// knows no fonts. It ends with the socket.
struct Witness {
  private static let socket: Int32 = 3

  /// Memory of the cockpit, which cannot shrink and is mapped for reading alone.
  private struct Memory {
    let number: UInt64
    let pages: MappedMemory
  }

  private var memories: [Memory] = []
  private var reader = Reader()

  /// Answers questions until the socket is closed, or something else than a question comes.
  mutating func run() {
    var bytes = [UInt8](repeating: 0, count: WitnessMessage.mostBytes)
    var files = [Int32](repeating: -1, count: 32)
    while true {
      var fileCount: Int32 = 0
      let count = unsafe cockpit_receive(Self.socket, &bytes, bytes.count, &files, &fileCount)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return }
      let owned = files.prefix(Int(fileCount))
      defer { for file in owned { close(file) } }
      switch WitnessMessage(bytes.prefix(count)) {
      case .memory(let number, let length):
        guard let file = owned.first else { return }
        take(number, count: length, file)
      case .question(let number, let memory, let shape, let cells):
        let answer = WitnessMessage.answer(number, read(cells, in: memory, shape)).bytes
        guard Self.put(answer) else { return }
      case .answer, nil: return
      }
    }
  }

  private static func put(_ bytes: [UInt8]) -> Bool {
    var sent = 0
    repeat {
      sent = unsafe send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    } while sent < 0 && errno == EINTR
    return sent == bytes.count
  }

  /// Maps the memory in `file` if it cannot shrink: behind the end of a smaller file waits a signal.
  private mutating func take(_ number: UInt64, count: Int, _ file: Int32) {
    memories.removeAll { unsafe $0.number == number || $0.pages.bytes.count != count }
    if memories.count >= WitnessMessage.mostMemories { memories.removeFirst() }
    guard cockpit_is_sealed(file) != 0, let pages = MappedMemory(readingFrom: file, count: count) else { return }
    memories.append(Memory(number: number, pages: pages))
  }

  private mutating func read(_ cells: [Cell], in number: UInt64, _ shape: FrameShape) -> [Reading] {
    guard let pages = memories.first(where: { $0.number == number })?.pages else {
      return cells.map { _ in .unreadable }
    }
    return unsafe pages.bytes.withMemoryRebound(to: UInt32.self) { words in
      let pixels = UnsafeBufferPointer(words)
      return cells.map { unsafe reader.read($0, in: pixels.span, shape) }
    }
  }
}

// It ends with the socket, or at once while it is stopped.
_ = cockpit_end_with_parent()
var witness = Witness()
witness.run()
