import CLinux
import Glibc
import Linux

/// The pipes to and from other programs of a selection. It never waits for one of them.
final class PasteTraffic {
  /// The maximum number of readers; beyond it the oldest receives no more data. Each needs a file descriptor, which are limited
  /// per process.
  private static let mostReaders = 8

  private let loop: EventLoop
  /// The programs that paste and have not read everything yet, oldest first.
  private var readers: [PasteWriter] = []
  /// The transfer in progress. Only one: a new request cancels the previous one.
  private var arriving: PipeReader?

  init(_ loop: EventLoop) { self.loop = loop }

  /// The offer whose data is arriving; nil if none is.
  var offer: AnyObject? { arriving?.offer }

  /// Ends every transfer.
  func end() {
    readers.removeAll()
    arriving = nil
  }

  /// Asks for the data of `offer` by `request`, which sends the descriptor that it gets to the owner, and passes the data to
  /// `take` when it has arrived. Returns false, and asks for nothing, if there is no descriptor left.
  func read(
    _ offer: AnyObject, by request: (Int32) -> Void, _ take: @escaping (_ bytes: [UInt8], _ isWhole: Bool) -> Void
  ) -> Bool {
    arriving = nil
    var ends: [Int32] = [-1, -1]
    guard unsafe cockpit_pipe(&ends) == 0, let output = Descriptor(ends[0]), let input = Descriptor(ends[1]) else {
      return false
    }
    // Non-blocking on this end only: the writer may rely on a blocking file.
    _ = fcntl(output.number, F_SETFL, O_NONBLOCK)
    // libwayland sends a duplicate, and ends the connection if it cannot make one.
    guard input.hasRoomForCopy else { return false }
    request(input.number)
    arriving = PipeReader(output, offer: offer, loop) { [unowned self] bytes, isWhole in
      arriving = nil
      take(bytes, isWhole)
    }
    return true
  }

  /// Writes to a program that pastes. A slow reader does not stall the loop.
  func send(_ bytes: [UInt8], to file: consuming Descriptor) {
    let reader = PasteWriter(file, loop)
    guard !reader.write(bytes) else { return }
    if readers.count == PasteTraffic.mostReaders { readers.removeFirst() }
    readers.append(reader)
    reader.onEnd = { [unowned self, unowned reader] in readers.removeAll { $0 === reader } }
  }
}

/// The bytes that another program writes, until it has written all.
private final class PipeReader {
  /// The maximum number of bytes accepted, more than any field or list can hold.
  private static let limit = 1 << 20

  let offer: AnyObject
  private let file: Descriptor
  private let loop: EventLoop
  private var bytes: [UInt8] = []
  private let take: (_ bytes: [UInt8], _ isWhole: Bool) -> Void

  /// Calls `take` once, with the bytes; they are not whole if there are more, or if the rest can't be read.
  init(
    _ file: consuming Descriptor, offer: AnyObject, _ loop: EventLoop,
    _ take: @escaping (_ bytes: [UInt8], _ isWhole: Bool) -> Void
  ) {
    self.file = file
    self.offer = offer
    self.loop = loop
    self.take = take
    loop.watchReadable(self.file.number) { [unowned self] in read() }
  }

  isolated deinit { loop.unwatch(file.number) }

  private func read() {
    var part = [UInt8](repeating: 0, count: 16_384)
    while true {
      let count = unsafe Glibc.read(file.number, &part, part.count)
      if count < 0, errno == EINTR { continue }
      if count < 0, errno == EAGAIN { return }
      if count > 0 { bytes += part[..<min(count, PipeReader.limit - bytes.count + 1)] }
      guard count > 0, bytes.count <= PipeReader.limit else {
        // The owner drops this object when notified.
        loop.unwatch(file.number)
        return take(Array(bytes.prefix(PipeReader.limit)), count == 0)
      }
    }
  }
}

/// The file of a program that pastes, and the bytes that it has not read yet; closed with its owner.
final class PasteWriter {
  private let file: Descriptor
  private let loop: EventLoop
  private var rest: ArraySlice<UInt8> = []
  /// Called once, when everything is written or the reader has closed.
  var onEnd: (() -> Void)?

  init(_ file: consuming Descriptor, _ loop: EventLoop) {
    self.file = file
    self.loop = loop
    _ = fcntl(self.file.number, F_SETFL, fcntl(self.file.number, F_GETFL) | O_NONBLOCK)
  }

  isolated deinit { loop.unwatch(file.number) }

  /// Keeps a program that pastes and exits early from terminating this one (SIGPIPE). The program's own handler stays.
  static func outliveClosedPipes() {
    var action = sigaction()
    guard unsafe sigaction(SIGPIPE, nil, &action) == 0, unsafe action.__sigaction_handler.sa_handler == nil else {
      return
    }
    signal(SIGPIPE, SIG_IGN)
  }

  /// Writes as much as fits now, and the rest when there is space. Returns true if nothing is left to do.
  func write(_ bytes: [UInt8]) -> Bool {
    rest = bytes[...]
    if isDone() { return true }
    loop.watch(
      EventLoop.Watch(descriptor: file.number, prepare: { .writable }) { [weak self] happened in
        if let self, !happened.isEmpty, isDone() { onEnd?() }
      })
    return false
  }

  private func isDone() -> Bool {
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(file.number, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      if count < 0, errno == EAGAIN { return false }
      guard count > 0 else { break }
      rest = rest.dropFirst(count)
    }
    return true
  }
}
