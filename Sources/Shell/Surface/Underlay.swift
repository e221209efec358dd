import CLinux
import Glibc
import Linux
import Wayland

/// Pictures of another process below a window's own content, such as video: the compositor reads them where they are, and this process
/// never does.
///
/// They are shown by a subsurface that keeps its own time (wl_subsurface, desynchronised): a new picture appears without a frame of the
/// window. The content leaves the place free by pixels that are clear. All input goes to the window.
///
/// Rule of use: `adopt` memory, then any number of `show`. A slot that was shown may be written again after `onRelease`, or after `end()`.
public final class Underlay {
  /// Memory with pictures of one size, one behind the other. The pixels have four bytes: blue, green, red and one without meaning.
  nonisolated public struct Layout: Hashable, Sendable {
    /// The extent of each picture.
    public var size: PixelSize
    /// The bytes from one row to the next.
    public var stride: Int
    /// The bytes from one picture to the next.
    public var slotBytes: Int
    /// The number of pictures.
    public var slots: Int

    /// Describes memory.
    public init(size: PixelSize, stride: Int, slotBytes: Int, slots: Int) {
      (self.size, self.stride, self.slotBytes, self.slots) = (size, stride, slotBytes, slots)
    }

    /// The length of the memory in bytes; nil if the numbers describe none that a compositor takes.
    fileprivate var byteCount: Int? {
      // Each number is bounded before it is multiplied.
      let most = ShmBuffer.maximumBytes
      guard 1...most / 4 ~= size.width, 1...most ~= size.height, 1...64 ~= slots, size.width * 4...most ~= stride,
        size.height <= most / stride, stride * size.height...most ~= slotBytes, slotBytes <= most / slots
      else { return nil }
      return slotBytes * slots
    }
  }

  /// Adopted memory, of which the compositor may hold some slots.
  private final class Memory {
    let number: UInt32
    let layout: Layout
    let buffers: [WlBuffer]
    var held: Set<Int> = []

    init(_ number: UInt32, _ layout: Layout, _ buffers: [WlBuffer]) {
      (self.number, self.layout, self.buffers) = (number, layout, buffers)
    }

    func end() {
      for buffer in buffers { buffer.end() }
    }
  }

  /// Called when the compositor reads a slot no more: the number of its memory, and of the slot.
  public var onRelease: ((_ memory: UInt32, _ slot: Int) -> Void)?
  /// True while a picture is shown.
  public private(set) var isShown = false
  /// True if the compositor scales pictures to their place (wp_viewporter). Otherwise they have their own size, in pixels per logical point
  /// of 1.
  public var scales: Bool { viewport != nil }

  private let shm: WlShm
  private let surface: WlSurface
  private let part: WlSubsurface
  private let viewport: WpViewport?
  private var newest: Memory?
  /// Older memory of which the compositor still holds slots.
  private var retired: [Memory] = []
  private var place: PixelRect?
  private let feedback: FeedbackSlots?
  /// Called for each picture of which the time was asked, by the slot of its request.
  private var presented: [Int: (MonotonicTime) -> Void] = [:]
  /// The time, and how far the compositor's clock of presentation times is from that clock; nil if it is not known.
  fileprivate var clock: () -> (now: MonotonicTime, offset: Duration)? = { nil }

  /// A place without a picture, below everything else of `parent`; nil if the compositor has no subsurfaces.
  init?(below parent: WlSurface, _ globals: Globals) {
    guard let subcompositor = globals[WlSubcompositor.self] else { return nil }
    shm = globals.shm
    surface = globals.compositor.createSurface()
    part = subcompositor.getSubsurface(surface: surface, parent: parent)
    viewport = globals[WpViewporter.self]?.getViewport(surface: surface)
    part.placeBelow(sibling: parent)
    part.setDesync()
    // The window's own surface is above it, but has no input where another program's strip, say, leaves it out.
    let nowhere = globals.compositor.createRegion()
    surface.setInputRegion(region: nowhere)
    nowhere.destroy()
    feedback = globals[WpPresentation.self].map { FeedbackSlots($0) }
    feedback?.onEvent = { [weak self] in self?.noteFeedback($0, slot: $1) }
  }

  /// Takes memory of another process, which `descriptor` refers to; the caller keeps the descriptor. `number` names the memory, and is new
  /// with each. Slots of earlier memory that the compositor still holds are released one by one.
  ///
  /// - Throws: `ShellError.system` if the memory is not sealed against shrinking (a compositor that reads past its end would end this program's
  ///   connection), is smaller than its layout says, or cannot be sent.
  public func adopt(_ descriptor: Int32, number: UInt32, _ layout: Layout) throws(ShellError) {
    guard let count = layout.byteCount else {
      throw .system(operation: "pictures of \(layout.size.width) x \(layout.size.height) pixels", errno: EINVAL)
    }
    guard cockpit_is_sealed(descriptor) != 0 else {
      throw .system(operation: "pictures in memory that may shrink", errno: EPERM)
    }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { throw .system(operation: "fstat", errno: errno) }
    guard status.st_size >= count else { throw .system(operation: "pictures beyond their memory", errno: EFBIG) }
    // Without room, libwayland would end the connection.
    guard let copy = Descriptor(fcntl(descriptor, F_DUPFD_CLOEXEC, 0)) else {
      throw .system(operation: "a copy of a descriptor", errno: errno)
    }
    let pool = shm.createPool(fd: copy.number, size: Int32(count))
    let buffers = (0..<layout.slots).map { slot in
      pool.createBuffer(
        offset: Int32(slot * layout.slotBytes), width: Int32(layout.size.width), height: Int32(layout.size.height),
        stride: Int32(layout.stride), format: .xrgb8888)
    }
    pool.destroy()
    let memory = Memory(number, layout, buffers)
    for (slot, buffer) in buffers.enumerated() {
      buffer.onEvent = { [weak self, weak memory] in
        guard case .release = $0, let self, let memory else { return }
        released(slot, of: memory)
      }
    }
    if let old = newest { retire(old) }
    newest = memory
  }

  private func released(_ slot: Int, of memory: Memory) {
    guard memory.held.remove(slot) != nil else { return }
    onRelease?(memory.number, slot)
    if memory.held.isEmpty, let index = retired.firstIndex(where: { $0 === memory }) { retired.remove(at: index).end() }
  }

  private func retire(_ memory: Memory) {
    if memory.held.isEmpty { memory.end() } else { retired.append(memory) }
  }

  /// True if the compositor may be reading a slot of the newest memory.
  public func holds(_ slot: Int) -> Bool { newest?.held.contains(slot) == true }

  /// Shows a slot of the newest memory at once. Does nothing and returns false if it has no such slot, the compositor holds the slot already,
  /// or no place was given.
  ///
  /// If `presented` is not nil, it is called with the time on CLOCK_MONOTONIC at which the picture came to the screen, if the compositor says it.
  @discardableResult public func show(_ slot: Int, presented: ((MonotonicTime) -> Void)? = nil) -> Bool {
    guard let memory = newest, memory.buffers.indices.contains(slot), !memory.held.contains(slot), place != nil,
      surface.isAlive
    else { return false }
    memory.held.insert(slot)
    surface.attach(buffer: memory.buffers[slot], x: 0, y: 0)
    surface.damageBuffer(
      x: 0, y: 0, width: Int32(memory.layout.size.width), height: Int32(memory.layout.size.height))
    if let presented, let request = feedback?.ask(about: surface) { self.presented[request] = presented }
    surface.commit()
    isShown = true
    return true
  }

  private func noteFeedback(_ event: WpPresentationFeedback.Event, slot: Int) {
    switch event {
    case .presented(let high, let low, let nanoseconds, _, _, _, _):
      guard let body = presented.removeValue(forKey: slot), let (now, offset) = clock() else { return }
      var times = PresentationTimes()
      let time = times.note(
        seconds: UInt64(high) << 32 | UInt64(low), nanoseconds: nanoseconds, offset: offset, refresh: .zero, now: now)
      if let time { body(time) }
    case .discarded: presented[slot] = nil
    case .syncOutput: break
    }
  }

  /// Where pictures are shown, in whole logical points of the window's surface; they are stretched to it if the compositor can. The position
  /// takes effect with the window's next frame, the extent with the next picture.
  func setPlace(_ place: PixelRect) {
    guard place != self.place, !place.isEmpty, surface.isAlive else { return }
    self.place = place
    part.setPosition(x: Int32(clamping: place.x), y: Int32(clamping: place.y))
    viewport?.setDestination(width: Int32(clamping: place.width), height: Int32(clamping: place.height))
    // Else an inset picture would keep the old extent until the next one comes, which may be never.
    if isShown { surface.commit() }
  }

  /// Shows no picture until the next `show`. The compositor releases what it holds.
  public func hide() {
    guard isShown, surface.isAlive else { return }
    isShown = false
    surface.attach(buffer: nil, x: 0, y: 0)
    surface.commit()
  }

  /// Destroys the objects; the compositor holds no slot any more. A second call does nothing.
  func end() {
    guard surface.isAlive else { return }
    isShown = false
    feedback?.end()
    viewport?.end()
    part.end()
    surface.end()
    for memory in retired { memory.end() }
    newest?.end()
    (newest, retired, presented, onRelease) = (nil, [], [:], nil)
  }
}

extension Window {
  /// The place below the window's content for pictures of another process, made at the first use; nil if the compositor has no subsurfaces or the
  /// window has ended. It ends with the window.
  public func makeUnderlay() -> Underlay? {
    guard isOpen else { return nil }
    if underlay == nil {
      underlay = Underlay(below: objects.surface, globals)
      underlay?.clock = { [weak self] in
        guard let self, let offset = application?.server?.presentationOffset(now: now) else { return nil }
        return (now, offset)
      }
    }
    return underlay
  }

  /// Says where the underlay's pictures are shown, in whole logical points of the content; nil hides them.
  public func placeUnderlay(_ area: Rect?) {
    guard let area else { return underlay?.hide() ?? () }
    let extent = model.layout.decoration
    let (left, top) = (
      (extent?.overhang.left ?? 0) + (extent?.insets.left ?? 0), (extent?.overhang.top ?? 0) + (extent?.insets.top ?? 0)
    )
    let (x, y) = (Int((area.minX + left).rounded()), Int((area.minY + top).rounded()))
    underlay?.setPlace(
      PixelRect(
        x: x, y: y, width: Int((area.maxX + left).rounded()) - x, height: Int((area.maxY + top).rounded()) - y))
  }
}
