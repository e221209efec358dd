import CLinux
import Glibc
import Synchronization
import Testing
import UICore

@testable import Linux

/// Tests of what is Linux's: descriptors, threads, the clock, errors in words.
@Suite(.serialized) struct SystemTests {
  private func isOpen(_ number: Int32) -> Bool { fcntl(number, F_GETFD) >= 0 }

  @Test func `a descriptor is closed once, at the end of its owner`() throws {
    var number: Int32 = -1
    do {
      guard let file = Descriptor(open("/dev/null", O_RDONLY | O_CLOEXEC)) else { throw POSIXFailure(number: errno) }
      number = file.number
      #expect(isOpen(number))
    }
    #expect(!isOpen(number))
  }

  @Test func `a descriptor that is handed over stays open`() throws {
    guard let file = Descriptor(open("/dev/null", O_RDONLY | O_CLOEXEC)) else { throw POSIXFailure(number: errno) }
    let number = file.take()
    #expect(isOpen(number) && close(number) == 0)
  }

  @Test func `bytes are written to the last, also where a descriptor that does not block has room for few`()
    async throws
  {
    var ends: [Int32] = [-1, -1]
    try #require(cockpit_pipe(&ends) == 0)
    for end in ends { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
    let (from, to) = (ends[0], ends[1])
    let bytes = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 / 7) }
    let read = await withCheckedContinuation { (continuation: CheckedContinuation<[UInt8], Never>) in
      let failure = startThread("reader") {
        var all: [UInt8] = []
        var some = [UInt8](repeating: 0, count: 3000)
        var entry = pollfd(fd: from, events: Int16(POLLIN), revents: 0)
        while all.count < 1_000_000, poll(&entry, 1, 20_000) > 0 {
          let count = Glibc.read(from, &some, some.count)
          guard count > 0 else { break }
          all += some[..<count]
        }
        continuation.resume(returning: all)
      }
      #expect(failure == 0)
      #expect(Descriptor.write(bytes, to: to))
    }
    #expect(read == bytes)
    close(to)
    #expect(!Descriptor.write(bytes, to: to) && errno == EBADF)
    close(from)
  }

  @Test func `no descriptor is made of a failure, whose reason stays`() {
    let isMade =
      if let file = Descriptor(open("/nowhere/at/all", O_RDONLY | O_CLOEXEC)) { file.number >= 0 } else { false }
    #expect(!isMade && errno == ENOENT)
  }

  @Test func `a thread has its name and takes no signals, and the caller's mask stays`() async {
    let mine = mask()
    let told = await withCheckedContinuation { (continuation: CheckedContinuation<(String, Bool), Never>) in
      let failure = startThread("a-name") {
        let name = (try? FileReader.bytes(of: "/proc/thread-self/comm", atMost: 64)) ?? []
        continuation.resume(returning: (String(decoding: name, as: UTF8.self), mask().allSatisfy { $0 }))
      }
      if failure != 0 { continuation.resume(returning: ("errno \(failure)", false)) }
    }
    #expect(told.0 == "a-name\n" && told.1)
    #expect(mine.contains(false))
  }

  @Test func `the clock is the system's monotonic one, and waiting ends after the time`() {
    let before = MonotonicTime.system
    let time = before + .milliseconds(3)
    time.sleepUntil()
    #expect(MonotonicTime.system >= time && time > before)
  }

  @Test(arguments: [1, 300, 2000]) func `memory that can't be had is told, not written to`(pages: Int) throws {
    guard let file = Descriptor(cockpit_memfd("test")) else { throw POSIXFailure(number: errno) }
    let size = Int(sysconf(Int32(_SC_PAGESIZE)))
    try #require(ftruncate(file.number, off_t(pages * size)) == 0)
    guard let whole = MappedMemory(count: pages * size, file: file.number),
      // Its last page would be beyond the file: writing to it would raise SIGBUS, as where the system has none left.
      let beyond = MappedMemory(count: (pages + 1) * size, file: file.number)
    else { throw POSIXFailure(number: errno) }
    #expect([0, EINVAL].contains(whole.takePages()) && [EFAULT, EINVAL].contains(beyond.takePages()))
  }

  @Test(arguments: [MemoryFile.memfd, .unnamed(in: "/dev/shm"), .unnamed(in: "/tmp")])
  func `a file in memory can be had in each way`(way: MemoryFile) throws {
    guard let file = MemoryFile.make(by: [way]), ftruncate(file.number, 4096) == 0,
      let memory = MappedMemory(count: 4096, file: file.number)
    else { throw POSIXFailure(number: errno) }
    memory.bytes[0] = 7
    var status = stat()
    let (result, flags) = (fstat(file.number, &status), fcntl(file.number, F_GETFD))
    #expect(result == 0 && status.st_nlink == 0, "it has no name")
    #expect(flags & FD_CLOEXEC != 0)
  }

  @Test func `a way that is refused leads to the next, and the first reason is told`() {
    let refused = MemoryFile.unnamed(in: "/nonexistent")
    func reason(_ ways: [MemoryFile]) -> Int32 { if MemoryFile.make(by: ways) != nil { 0 } else { errno } }
    #expect(reason([refused, .unnamed(in: "/proc")]) == ENOENT)
    #expect(reason([refused, .unnamed(in: "/dev/shm")]) == 0)
    #expect(MemoryFile.ways.first == .memfd && MemoryFile.ways.contains(.unnamed(in: "/dev/shm")))
  }

  @Test func `a descriptor knows whether there is room for a copy`() async {
    await #expect(processExitsWith: .success) {
      guard let file = Descriptor(open("/dev/null", O_RDONLY | O_CLOEXEC)), file.hasRoomForCopy else { exit(1) }
      while fcntl(file.number, F_DUPFD_CLOEXEC, 0) >= 0 {}
      exit(!file.hasRoomForCopy && errno == EMFILE ? 0 : 2)
    }
  }

  @Test func `an errno is told in words`() {
    #expect(systemMessage(ENOENT) == "No such file or directory")
  }

  @Test func `a folder's names are in order, and none where there is no folder`() {
    #expect(FileReader.names(in: "/proc/self").contains("status") && FileReader.names(in: "/nowhere").isEmpty)
    let names = FileReader.names(in: "/etc")
    #expect(names == names.sorted())
  }
}

/// Which of the signals that can be blocked are, on this thread.
private func mask() -> [Bool] {
  var set = sigset_t()
  pthread_sigmask(SIG_BLOCK, nil, &set)
  return [SIGHUP, SIGINT, SIGTERM, SIGPIPE, SIGUSR1, SIGCHLD].map { sigismember(&set, $0) == 1 }
}

private struct POSIXFailure: Error {
  let number: Int32
}
