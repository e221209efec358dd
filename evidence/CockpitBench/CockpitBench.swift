import Foundation
import Glibc
import UICore

/// Measures Wayland clients on the project's own test compositor.
@main
struct CockpitBench {
  static func main() {
    do throws(BenchError) {
      let options = try BenchOptions(Array(CommandLine.arguments.dropFirst()))
      if let page = options.page {
        guard options.checksPage else { return try page.fill() }
        guard try page.isFilled() else {
          write("\(page.path) is not what its records give: ./dev bench --report fill\n")
          exit(1)
        }
        return
      }
      if options.soakMinutes > 0 { exit(try soak(options) ? 0 : 1) }
      // Reads the baseline first, so that an unreadable file fails now and not after minutes.
      let baseline = try options.baseline.map { path throws(BenchError) in try Report(contentsOf: path) }
      let report = try Bench(options: options).run()
      Progress.show("")
      let verdicts = Aim.verdicts(report.figures).filter { verdict in
        options.aims.isEmpty || options.aims.contains { verdict.name.hasPrefix($0) }
      }
      report.print(verdicts, comparedWith: baseline)
      if options.countsAllocationsOnly { report.allocations.flatMap(\.ways).forEach { print($0) } }
      if let path = options.record { try report.write(to: path) }
      // A run in which no aim was measured counts as missed.
      let isMet = !verdicts.isEmpty && verdicts.allSatisfy { $0.isMet }
      exit(options.isStrict && !isMet ? 1 : 0)
    } catch {
      Progress.show("")
      write("cockpit-bench: \(error)\n")
      exit(error.exitCode)
    }
  }

  /// Drives a cockpit for hours and prints the result; returns whether everything happened as it should.
  private static func soak(_ options: BenchOptions) throws(BenchError) -> Bool {
    guard let client = options.cockpit, let scene = options.scene, let record = options.record else { return false }
    let report = SoakReport(
      samples: try Soak(client, scene: scene, record: record).run(minutes: options.soakMinutes))
    print(report.text)
    report.failures.forEach { write("failed: \($0)\n") }
    return report.failures.isEmpty && report.samples.count == options.soakMinutes
  }

  /// Writes on standard error, apart from the results.
  static func write(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }
}

/// Takes the measurements that the options ask for.
struct Bench {
  let options: BenchOptions

  /// Measures everything that the options select; takes minutes.
  func run() throws(BenchError) -> Report {
    var report = Report()
    if let program = options.scenes {
      guard let tools = options.tools else { throw .usage("--scenes counts on x86-64 only") }
      try SceneCounting(program: program, tools: tools).record(in: &report.figures)
      report.tables = [SceneTable.text(report.figures) + "\n"]
      return report
    }
    if options.countsOnly {
      guard let client = options.cockpit, let tools = options.tools, let counter = options.counter else {
        return report
      }
      var counting = Counting(
        cockpit: client, floor: options.floor, bare: options.bareWithoutText, tools: tools, allocations: counter)
      let stripped = try StrippedProgram(client.words[0])
      defer { withExtendedLifetime(stripped) {} }
      counting.cockpit.words[0] = stripped.path
      for size in options.sizes {
        guard options.profiledFunctions > 0 else {
          try counting.record(options.uses, in: &report.figures, size: size)
          continue
        }
        for use in options.uses {
          let lines = try counting.profile(use, size: size, count: options.profiledFunctions)
          report.tables.append(
            "\(use.rawValue) at \(size.text): instructions a frame, by function\n" + lines.joined(separator: "\n")
              + "\n")
        }
      }
      return report
    }
    MachineLoad.waitUntilQuiet(seconds: options.quietLimit)
    if let path = options.sweep {
      let sweep = Sweep(options: options)
      defer { sweep.clean() }
      try rounds(of: sweep.measurers(), &report.figures)
      report.tables = Sweep.tables(report.figures)
      try Sweep.plot(report.figures).save(to: path)
      return report
    }
    if !options.rivals.isEmpty {
      try Rivals(options: options).run(&report)
      return report
    }
    if let source = options.video, let client = options.cockpit, let size = options.sizes.first {
      // Inset, so that the wheel is where it is without a picture, and as large.
      var other = client
      other.name = "cockpit with video"
      other.words += ["--video", source, "--video-view", "inset"]
      let (places, plan) = (try Places(of: client, size: size), MeasurementPlan(uses: [.wheel, .drift]))
      try rounds(
        of: [client, other].map { Measurer($0, size: size, places: places, plan: plan, seconds: options.seconds) },
        &report.figures)
      report.tables = [Bench.ratios(report.figures, of: other.name, to: client.name)]
      return report
    }
    if options.measuresGoalsOnly, let client = options.cockpit {
      try Goals(client: client, seconds: max(options.seconds, 20)).record(in: &report.figures)
      return report
    }
    if options.countsAllocationsOnly || options.measuresConsumersOnly || options.measuresPriorityOnly
      || options.requests > 0
    {
      guard let client = options.cockpit, let size = options.sizes.first else { return report }
      if options.measuresPriorityOnly {
        for loops in [0, 2] {
          let place = try Places(of: client, size: size).wheel
          try DriveMeasurer(client, size: size, place: place, touches: 1200).recordLateness(
            beside: loops, seconds: max(options.seconds, 20), in: &report.figures)
        }
        return report
      }
      if options.countsAllocationsOnly {
        try countAllocations(AllocationMeasurer.Use.allCases, client, size, &report)
        return report
      }
      if options.measuresConsumersOnly {
        report.consumers = try ConsumerMeasurer(client: client, size: size, seconds: max(options.seconds, 10))
          .run(&report.figures)
      }
      if let program = options.assistant, options.requests > 0 {
        // Pairs of a drag with requests and one without, which lasts as long; their order alternates. The pairs are short,
        // because the machine's other load changes.
        let pairs = options.requests / Assistant.requestsOfDrag
        let uses: [[Use]] = (0..<pairs).map { $0 % 2 == 0 ? [.asked, .wheel] : [.wheel, .asked] }
        let plan = MeasurementPlan(uses: uses.flatMap(\.self), assistant: program)
        var lateness: [Double] = []
        try Measurer(
          client, size: size, places: Places(of: client, size: size), plan: plan, seconds: options.seconds
        ).run(&report.figures, &lateness)
      }
      return report
    }
    let fonts = try ManyFonts()
    defer { fonts.remove() }
    try rounds(of: measurers(fonts), &report.figures)
    if let client = options.cockpit, let size = options.sizes.first {
      // `.shifting` does everything that `.driving` does.
      try countAllocations([.shifting, .framed], client, size, &report)
      Progress.show("a scene of \(ManyControls.counts.large) controls")
      try ManyControls().record(in: &report.figures)
    }
    return report
  }

  /// A line for each figure that both clients have: the medians, and the median of the ratios of each round.
  private static func ratios(_ figures: Figures, of name: String, to other: String) -> String {
    let lines = figures.all.filter { $0.client == name }.compactMap { mine -> String? in
      guard let its = figures.counterpart(of: mine, client: other) else { return nil }
      func text(_ value: Double) -> String { String(format: "%.3f", value) }
      let rounds = mine.relative(to: its)
      return "\(mine.title): \(text(its.median)), with video \(text(mine.median)) \(mine.unit); "
        + "\(text(rounds.median)) times as much, in \(rounds.samples.count) rounds "
        + "\(text(rounds.samples.min() ?? 0)) to \(text(rounds.samples.max() ?? 0))"
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Measures every client in each round, in alternating order, so that changes of the machine's speed affect all of them alike.
  private func rounds(of measurers: [Measurer], _ figures: inout Figures) throws(BenchError) {
    for round in 0..<options.rounds {
      Progress.prefix = "round \(round + 1) of \(options.rounds): "
      let before = MachineLoad()
      var lateness: [Double] = []
      figures.record(Machine.integerLoop(), "a fixed integer loop", "ms", client: "machine")
      for measurer in round % 2 == 0 ? measurers : measurers.reversed() { try measurer.run(&figures, &lateness) }
      if options.sweep == nil, options.video == nil, let client = options.cockpit { try once(client, &figures) }
      func record(_ value: Double?, _ name: String, _ unit: String) {
        figures.record(value, name, unit, client: "machine")
      }
      record(Statistics.median(lateness), "lateness of the compositor's refreshes, p50", "ms")
      record(Statistics.percentile(0.99, lateness), "lateness of the compositor's refreshes, p99", "ms")
      record(MachineLoad().othersFraction(since: before) * 100, "other programs' share of the processors", "%")
    }
    Progress.prefix = ""
  }

  /// The measurers of every client's sessions. Sessions that are compared with each other are adjacent.
  private func measurers(_ fonts: ManyFonts) throws(BenchError) -> [Measurer] {
    var result: [Measurer] = []
    for size in options.sizes {
      guard let first = options.cockpit ?? options.bare else { return [] }
      let places = try Places(of: first, size: size)
      let isMain = size == options.sizes.first
      // The yardstick draws its wheel at the cockpit's position and size.
      var bare = options.bare
      let wheel = places.wheel
      bare?.words += ["--wheel", "\(wheel.center.x),\(wheel.center.y),\(wheel.radius)"]
      func add(_ client: ClientSpecification?, _ plan: MeasurementPlan) {
        guard let client else { return }
        result.append(Measurer(client, size: size, places: places, plan: plan, seconds: options.seconds))
      }
      guard isMain else {
        for client in [options.cockpit, bare, options.against] {
          add(client, MeasurementPlan(starts: 3, rests: true, uses: [.wheel]))
        }
        continue
      }
      let wheelUses: [Use] = [.wheel, .drift, .flood]
      let own = MeasurementPlan(starts: 3, rests: true, uses: wheelUses + [.lever, .both, .busy])
      add(options.cockpit, own)
      add(bare, MeasurementPlan(starts: 3, rests: true, uses: wheelUses))
      // The lever's touches go to whatever this client has at that position.
      add(options.against, own)
      add(options.bareWithoutText, MeasurementPlan(starts: 3, rests: true))
      for client in [options.cockpit, bare] {
        add(client, MeasurementPlan(label: "1,000 fonts", variables: fonts.variables, starts: 3))
        add(client, MeasurementPlan(label: "files not in memory", starts: 1, dropsPages: true))
      }
      add(options.cockpit, MeasurementPlan(arguments: ["--demo"], uses: [.demo]))
      add(options.cockpit, MeasurementPlan(arguments: ["--beacon", "on"], uses: [.beacon]))
      add(options.cockpit, MeasurementPlan(label: "--drive", arguments: ["--drive", "-"], rests: true))
    }
    return result
  }

  /// Measures, once in a round, the latency of drive lines, the uses without a window, and the size of the program's file.
  private func once(_ client: ClientSpecification, _ figures: inout Figures) throws(BenchError) {
    guard let size = options.sizes.first else { return }
    Progress.show("\(client.name), lines of a drive")
    let place = try Places(of: client, size: size).wheel
    let latencies = try DriveMeasurer(client, size: size, place: place, touches: 80).run()
    figures.record(Statistics.median(latencies), "touch to drive line, p50", "ms", scene: size.text)
    figures.record(Statistics.percentile(0.99, latencies), "touch to drive line, p99", "ms", scene: size.text)
    let program = client.words[0]
    let folder = NSTemporaryDirectory() + "cockpit-bench-\(getpid())"
    func median(_ words: [String]) throws(BenchError) -> Double? {
      var times: [Double] = []
      for _ in 0..<5 { try Child.duration(of: words).map { times.append($0) } }
      return Statistics.median(times)
    }
    figures.record(try median([program, "--version"]), "--version, start to end", "ms")
    let picture = folder + ".png"
    figures.record(
      try median(client.words + ["--screenshot", picture, "--size", "1280x720"]), "--screenshot, start to end", "ms")
    unlink(picture)
    let stripped = folder + ".stripped"
    if Child.run(["/usr/bin/env", "strip", "-o", stripped, program]) != nil {
      let bytes = try? FileManager.default.attributesOfItem(atPath: stripped)[.size] as? Int
      figures.record(bytes.map { Double($0) / 1e6 }, "the program's file, stripped", "MB")
    }
    unlink(stripped)
  }

  /// Counts the allocations during a drag; does nothing without the counting library.
  private func countAllocations(
    _ uses: [AllocationMeasurer.Use], _ client: ClientSpecification, _ size: PixelSize, _ report: inout Report
  ) throws(BenchError) {
    guard let counter = options.counter else { return }
    for group in AllocationMeasurer.together {
      let wanted = group.filter(uses.contains)
      if wanted.isEmpty { continue }
      Progress.show("what \(client.name) allocates at \(size.text), \(wanted[0].rawValue)")
      let measurer = try AllocationMeasurer(
        client, size: size, uses: wanted, counter: counter, frames: options.frames, refresh: options.refresh)
      for counted in try measurer.run() {
        counted.record(in: &report.figures, scene: size.text)
        report.allocations.append(counted)
      }
    }
  }
}

/// A directory with a thousand links to fonts, in addition to the system's.
struct ManyFonts {
  private let folder = NSTemporaryDirectory() + "cockpit-bench-fonts-\(getpid())"

  /// The environment variables that make programs search the directory.
  var variables: [String: String] { ["FONTCONFIG_FILE": folder + "/fonts.conf"] }

  init() throws(BenchError) {
    let files = FileManager.default
    let fonts = (files.enumerator(atPath: "/usr/share/fonts")?.compactMap { $0 as? String } ?? [])
      .filter { $0.hasSuffix(".ttf") }.sorted()
    do {
      try files.createDirectory(atPath: folder + "/fonts", withIntermediateDirectories: true)
      for number in 0..<(fonts.isEmpty ? 0 : 1000) {
        try files.createSymbolicLink(
          atPath: "\(folder)/fonts/\(number).ttf",
          withDestinationPath: "/usr/share/fonts/" + fonts[number % fonts.count])
      }
      let configuration = """
        <?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd">
        <fontconfig><cachedir>\(folder)/cache</cachedir><dir>\(folder)/fonts</dir>
        <include ignore_missing="yes">/etc/fonts/fonts.conf</include></fontconfig>
        """
      try configuration.write(toFile: folder + "/fonts.conf", atomically: true, encoding: .utf8)
    } catch {
      throw .usage("\(folder): \(error.localizedDescription)")
    }
  }

  func remove() { try? FileManager.default.removeItem(atPath: folder) }
}

/// A failure of the bench.
enum BenchError: Error, CustomStringConvertible {
  /// The command line, or a file that it names, is invalid.
  case usage(String)
  /// A system call failed.
  case system(operation: String, errno: Int32)
  /// A client did not react as expected.
  case client(name: String, String)

  var description: String {
    switch self {
    case .usage(let text): text
    case .system(let operation, let errno): "\(operation): \(String(cString: strerror(errno)))"
    case .client(let name, let text): "\(name) \(text)"
    }
  }

  /// The process's exit code.
  var exitCode: Int32 {
    if case .usage = self { 64 } else { 70 }
  }
}
