import CLinux
import Glibc
import JSON
import Linux
import Stage

/// The program `stage`, without its entry point.
package enum StageCommand {
  /// The version, which is the cockpit's.
  package static let version = "0.1.0"

  /// The exit codes.
  nonisolated enum Code {
    static let client: Int32 = 2
    static let usage: Int32 = 64
    static let script: Int32 = 65
  }

  /// Runs the program with the arguments after its name; returns its exit code.
  package static func run(_ arguments: [String]) -> Int32 {
    do throws(CommandError) {
      switch arguments.first {
      case "run": return try play(Array(arguments.dropFirst()))
      case "check": return try check(Array(arguments.dropFirst()))
      case "serve": return try serve(Array(arguments.dropFirst()))
      case "record": return try record(Array(arguments.dropFirst()))
      case "replay": return try replay(Array(arguments.dropFirst()))
      case "mcp": return try agent(Array(arguments.dropFirst()))
      case "rules":
        write(Violation.Rule.table)
        return 0
      case "help", "--help", "-h":
        switch arguments.dropFirst().first {
        case "steps": write(StepKind.table)
        case "globals": write(OfferedGlobals.table)
        case "schema": write(StepKind.schema.jsonText + "\n")
        case nil, "run", "check", "serve", "record", "replay", "mcp", "rules": write(help)
        case let word?:
          throw CommandError(
            "there is no help about \"\(word)\"; there is `stage help`, with `steps`, `globals` and `schema`")
        }
        return 0
      case "--version":
        write("stage \(version)\n")
        return 0
      case nil: throw CommandError("a command is missing; `stage help` lists them")
      case let word?: throw CommandError("no command is called \"\(word)\"; `stage help` lists them")
      }
    } catch {
      complain(error.message)
      return error.exitCode
    }
  }

  private static func play(_ arguments: [String]) throws(CommandError) -> Int32 {
    let options = try Options(
      arguments, takes: ["against", "out", "film", "report", "tap", "junit", "seed", "strict", "setup"],
      words: ["SCRIPT"])
    let limit = JSONGrammar.file.greatestLength
    let text = try read(options.words[0], atMost: limit, or: Code.script)
    return try play(text, name: options.words[0], options)
  }

  private static func check(_ arguments: [String]) throws(CommandError) -> Int32 {
    let options = try Options(
      arguments, takes: ["film", "report", "tap", "junit", "seed", "strict", "setup", "details"])
    return try play(PackageResources.check_json, name: "check", options, isStable: !options.has("details"))
  }

  /// Plays a script and writes the report.
  private static func play(
    _ text: [UInt8], name: String, _ options: Options, isStable: Bool = false
  ) throws(CommandError) -> Int32 {
    var script: Script
    do {
      script = try Script(text, name: name)
    } catch {
      throw CommandError(error.description(in: name), exitCode: Code.script)
    }
    options.apply(to: &script.setup)
    let plan = script.steps.indices.map { (line: script.line(ofStep: $0), title: script.steps[$0].title) }
    let watcher = try options.watcher(name, script.setup, plan)
    let run = ScriptRun(
      script: script, command: options.command, folders: options.folders, isStable: isStable, watcher: watcher)
    let report = try run.report()
    if let path = options.value("junit"), !save(report.junit.utf8, to: path) {
      throw CommandError("can't write \(path): \(systemMessage(errno))")
    }
    write(options.has("tap") ? report.tap : report.text)
    return report.exitCode
  }

  private static func serve(_ arguments: [String]) throws(CommandError) -> Int32 {
    let options = try Options(
      arguments, takes: ["against", "out", "film", "report", "seed", "strict", "setup"], words: ["SOCKET"])
    var setup = Setup()
    options.apply(to: &setup)
    guard let socket = ControlSocket(options.words[0]) else {
      throw CommandError("can't serve \(options.words[0]): \(systemMessage(errno))")
    }
    let watcher = try options.watcher("steps of a controller", setup, nil)
    let run = try ClientRun.start(options.command, setup: setup, folders: options.folders, watcher: watcher)
    return ControlServer(run, socket).run()
  }

  private static func record(_ arguments: [String]) throws(CommandError) -> Int32 {
    let options = try Options(arguments, takes: ["log"])
    let path = options.value("log")
    let file = Descriptor(
      path.map { unsafe open($0, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666) }
        ?? fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0))
    guard let file else { throw CommandError("can't write \(path ?? "the log"): \(systemMessage(errno))") }
    return try Recorder(options.command, log: file.number).run()
  }

  private static func replay(_ arguments: [String]) throws(CommandError) -> Int32 {
    let options = try Options(arguments, takes: [], words: ["LOG"], hasClient: false)
    let log = try read(options.words[0], atMost: 1 << 30, or: Code.usage)
    do {
      write(try Replay(log: log).text)
      return 0
    } catch {
      throw CommandError("\(options.words[0]):\(error.line): no line of a log", exitCode: Code.script)
    }
  }

  /// Becomes the server for agents, which is in Python and starts this program.
  private static func agent(_ arguments: [String]) throws(CommandError) -> Int32 {
    guard arguments.isEmpty else { throw CommandError("stage mcp takes no arguments") }
    var bytes = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let count = unsafe readlink("/proc/self/exe", &bytes, bytes.count)
    let own = count > 0 ? String(decoding: bytes.prefix(count), as: UTF8.self) : "stage"
    let words = ["python3", "-m", "wayland_stage.agent", own]
    var copies: [UnsafeMutablePointer<CChar>?] = unsafe words.map { word in unsafe strdup(word) }
    unsafe copies.append(nil)
    unsafe execvp("python3", copies)
    throw CommandError("can't start python3: \(systemMessage(errno))", exitCode: Code.client)
  }

  // MARK: Files and output

  /// The bytes of a file; ends the command with `exitCode` if it can't be read.
  private static func read(_ path: String, atMost limit: Int, or exitCode: Int32) throws(CommandError) -> [UInt8] {
    do {
      return try FileReader.bytes(of: path, atMost: limit, mayWait: true)
    } catch {
      throw CommandError("\(path): can't be read: \(error)", exitCode: exitCode)
    }
  }

  static func write(_ text: String) { _ = Descriptor.write(Array(text.utf8), to: STDOUT_FILENO) }

  static func complain(_ text: String) { _ = Descriptor.write(Array("stage: \(text)\n".utf8), to: STDERR_FILENO) }

  /// Writes a file; returns false if that fails, with the reason in `errno`. Then there is no file rather than a part of one.
  static func save(_ bytes: some Sequence<UInt8>, to path: String) -> Bool {
    guard let file = unsafe Descriptor(open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)) else {
      return false
    }
    if Descriptor.write(Array(bytes), to: file.number) { return true }
    let reason = errno
    remove(path)
    errno = reason
    return false
  }

  /// Removes a file; not a device such as /dev/stdout.
  static func remove(_ path: String) {
    var status = stat()
    if unsafe lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG { unsafe unlink(path) }
  }
}

/// Why a command can't be carried out, and the program's exit code for that: by default its arguments make no sense.
struct CommandError: Error {
  let message: String
  let exitCode: Int32

  init(_ message: String, exitCode: Int32 = StageCommand.Code.usage) {
    (self.message, self.exitCode) = (message, exitCode)
  }
}

/// The arguments of a command: words, options, and the client's command after `--`.
struct Options {
  /// The options, and whether each takes a value.
  static let all: [(name: String, takesValue: Bool)] = [
    ("against", true), ("out", true), ("film", true), ("report", true), ("junit", true), ("seed", true), ("tap", false),
    ("strict", false),
    ("setup", true), ("details", false), ("log", true),
  ]

  private(set) var words: [String] = []
  private(set) var command: [String] = []
  private var values: [String: String] = [:]

  /// Reads the arguments of a command that takes these options, these words and, if `hasClient`, a client.
  init(_ arguments: [String], takes names: [String], words count: [String] = [], hasClient: Bool = true)
    throws(CommandError)
  {
    var rest = arguments[...]
    while let word = rest.popFirst() {
      guard word != "--" else {
        command = Array(rest)
        break
      }
      guard word.hasPrefix("--") else {
        words.append(word)
        continue
      }
      let parts = word.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(
        String.init)
      guard names.contains(parts[0]), let option = Options.all.first(where: { $0.name == parts[0] }) else {
        throw CommandError(
          "there is no option \(word) here; there is \(names.map { "--\($0)" }.joined(separator: ", "))")
      }
      if option.takesValue {
        guard let value = parts.count > 1 ? parts[1] : rest.popFirst() else {
          throw CommandError("\(word) needs a value")
        }
        values[option.name] = value
      } else {
        guard parts.count == 1 else { throw CommandError("--\(option.name) takes no value") }
        values[option.name] = ""
      }
    }
    guard words.count == count.count else {
      throw CommandError(
        words.count < count.count
          ? "\(count[words.count]) is missing"
          : "\"\(words[count.count])\" is one word too many: the client follows after --")
    }
    guard !hasClient || !command.isEmpty else { throw CommandError("the client is missing: it follows after --") }
    for name in ["film", "report"] where values[name] == "" { throw CommandError("--\(name) needs a file") }
    if let film = values["film"], film == values["report"] {
      throw CommandError("--film and --report need two files, not \(film) for both")
    }
    guard values["seed"] == nil || seed != nil else {
      throw CommandError("--seed needs a whole number, not \(values["seed"] ?? "")")
    }
    var setup = Setup()
    if let complaint = values["setup"].flatMap({ setup.take($0) }) { throw CommandError("--setup: \(complaint)") }
  }

  func has(_ name: String) -> Bool { values[name] != nil }
  func value(_ name: String) -> String? { values[name] }

  /// Changes the setup as --setup, --seed and --strict demand.
  func apply(to setup: inout Setup) {
    if let text = values["setup"] { _ = setup.take(text) }
    setup.seed = seed ?? setup.seed
    if has("strict") { setup.isStrict = true }
  }

  /// Who makes the film and the page that --film and --report ask for; nil if neither is asked for.
  func watcher(_ name: String, _ setup: Setup, _ plan: [(line: Int, title: String)]?) throws(CommandError)
    -> RunWatcher?
  {
    let files = RunWatcher.Files(film: values["film"], page: values["report"])
    guard files.film != nil || files.page != nil else { return nil }
    return try RunWatcher(files, RunAccount(name: name, facts: RunAccount.facts(command, setup), plan: plan))
  }

  var seed: Int? { values["seed"].flatMap { Int($0) } }
  var folders: ClientRun.Folders { ClientRun.Folders(output: values["out"], against: values["against"]) }
}
