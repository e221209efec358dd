import Controls
import FoundationEssentials
import Glibc
import ScreenJudging
import ScreenshotTesting
import TestSupport
import Testing

/// The program as a shell runs it, without a display.
@MainActor @Suite(.serialized) struct CommandLineTests {
  private func run(_ arguments: String, configuration: String = "/nowhere") throws -> (output: String, status: Int32) {
    try Product.cockpit.run(arguments, configuration: configuration)
  }

  private static let file = "/tmp/cockpit-check-\(getpid()).json"

  private func write(_ text: String) {
    let file = fopen(Self.file, "w")
    fputs(text, file)
    fclose(file)
  }

  @Test func `--check ends with 0 for a good file and with 1 and one line for a bad one, without a display`() throws {
    defer { unlink(Self.file) }
    write("{\"type\": \"CockpitPanel\", \"subviews\": [{\"type\": \"Horn\", \"actions\": {\"touchDown\": \"brake\"}}]}")
    #expect(try run("--check \(Self.file)") == ("\(Self.file) is good\n", 0))
    write(
      "{\"type\": \"CockpitPanel\",\n  \"subviews\": [{\"type\": \"Horn\", \"actions\": {\"touchDown\": \"brak\"}}]}")
    #expect(
      try run("--check \(Self.file)") == (
        "cockpit: \(Self.file):2:58: subviews[0].actions.touchDown: unknown action \"brak\"; did you mean \"brake\"?\n",
        1
      ))
    #expect(try run("--check /nowhere").status == 1)
    #expect(try run("--check").status == 2)
  }

  @Test func `without any font the start says so in one line, and the instruments are drawn all the same`() throws {
    let picture = "\(Self.file).png"
    defer {
      unsetenv("FONTCONFIG_FILE")
      unlink(Self.file)
      unlink(picture)
    }
    write(
      "<?xml version=\"1.0\"?><!DOCTYPE fontconfig SYSTEM \"fonts.dtd\"><fontconfig><dir>/nowhere</dir></fontconfig>")
    let drawn = "--size 480x320 --screenshot \(picture)"
    #expect(try run(drawn) == ("", 0))
    let whole = try #require(Snapshot.read(picture))
    setenv("FONTCONFIG_FILE", Self.file, 1)
    let line =
      "cockpit: no font was found: instruments and capitals have outlines of their own, other texts are missing\n"
    #expect(try run(drawn) == (line, 0))
    let bare = try #require(Snapshot.read(picture))
    // The dial and its lamps are the same; only the gate's letters, which have a font, are others.
    let isSame = (0..<320).allSatisfy { y in (110..<290).allSatisfy { x in whole[x, y] == bare[x, y] } }
    #expect(isSame && whole != bare)
  }

  @Test func `a scene without a backdrop can be read by day as by night`() throws {
    let picture = "\(Self.file).png"
    defer {
      unlink(Self.file)
      unlink(picture)
    }
    write(
      """
      {"type": "StackView", "margins": 20, "subviews": [
        {"type": "Label", "text": "Price range"}, {"type": "RangeSlider"}, {"type": "ThrottleGearbox", "grow": 1}]}
      """)
    for theme in ["light", "dark"] {
      let drawn = "--scene \(Self.file) --theme \(theme) --size 300x400 --screenshot \(picture)"
      #expect(try run(drawn) == ("", 0))
      let shown = try #require(Snapshot.read(picture))
      let (ground, isLight) = (shown[2, 2], theme == "light")
      #expect((Contrast.luminance(ground) > 0.5) == isLight, "\(theme): the ground is the theme's")
      // The label's row, and the lower half, where the gearbox has its unlit lines and letters.
      for rows in [18..<42, 250..<390] {
        let most = rows.flatMap { y in (20..<280).map { x in Contrast.ratio(shown[x, y], ground) } }.max() ?? 1
        #expect(most >= 4.5, "\(theme), rows \(rows): contrast \(most)")
      }
    }
  }

  @Test func `--scene and --watch show their file where no window is needed, or say what is wrong with it`() throws {
    defer { unlink(Self.file) }
    write("{\"type\": \"Horn\", \"name\": \"alone\"}")
    for option in ["--scene", "--watch"] {
      let (output, status) = try run("\(option) \(Self.file) --dump-tree --size 400x300")
      #expect(status == 0 && output.contains("\"alone\"") && !output.contains("SteeringWheel"))
    }
    write("{\"type\": \"Horn\",, }")
    #expect(
      try run("--scene \(Self.file) --dump-tree") == ("cockpit: \(Self.file):1:17: expected a name in \" \"\n", 1))
  }

  @Test func `a picture that can't be read is a mistake to --check, and named by what shows the scene anyway`() throws {
    let damaged = Self.file + ".png"
    defer {
      unlink(Self.file)
      unlink(damaged)
    }
    let empty = fopen(damaged, "w")
    fclose(empty)
    let name = damaged.split(separator: "/").last ?? ""
    let pictures = [
      ("\"type\": \"ImageView\", \"imageFile\": \"absent.png\"", "imageFile", "/tmp/absent.png: cannot be read: "),
      ("\"type\": \"RangeSlider\", \"thumbImage\": \"\(name)\"", "thumbImage", "\(damaged): is neither a PNG nor"),
      ("\"type\": \"Button\", \"imageFile\": \"/tmp\"", "imageFile", "/tmp: is not a file"),
      (
        "\"type\": \"Button\", \"selectedImageFile\": \"x/y.png\"", "selectedImageFile",
        "/tmp/x/y.png: cannot be read: "
      ),
    ]
    for (view, property, reason) in pictures {
      write("{\"type\": \"View\", \"subviews\": [\n{\(view)}]}")
      let (output, status) = try run("--check \(Self.file)")
      #expect(status == 1 && output.split(separator: "\n").count == 1, "\(output)")
      #expect(output.hasPrefix("cockpit: \(Self.file):2:"), "\(output)")
      #expect(output.contains(": subviews[0].\(property): \(reason)"), "\(output)")
    }
    write("{\"type\": \"View\", \"subviews\": [\n" + pictures.map { "{\($0.0)}" }.joined(separator: ",\n") + "]}")
    for option in [
      "--scene \(Self.file) --dump-tree", "--watch \(Self.file) --dump-tree",
      "--scene \(Self.file) --screenshot \(damaged)",
    ] {
      let (output, status) = try run(option + " --size 300x200")
      let lines = output.split(separator: "\n").filter { $0.hasPrefix("cockpit: \(Self.file):") }
      #expect(status == 0 && lines.count == pictures.count, "\(option): \(lines)")
      for (line, picture) in zip(lines, pictures) { #expect(line.contains(picture.2), "\(line)") }
    }
  }

  @Test func `a scene shows a JPEG, and without TurboJPEG it is one error of that picture alone`() throws {
    let folder = try TemporaryFolder()
    // White, of 8 x 8 pixels, as Pillow 13 writes it.
    let white =
      "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAP//////////////////////////////////////////////////////////////////////////////"
      + "////////wAALCAAIAAgBAREA/8QAFAABAAAAAAAAAAAAAAAAAAAAA//EABQQAQAAAAAAAAAAAAAAAAAAAAD/2gAIAQEAAD8AR//Z"
    try #require(Data(base64Encoded: white)).write(to: URL(filePath: folder.path + "/white.jpg"))
    let (scene, picture) = (folder.path + "/scene.json", folder.path + "/shown.png")
    try folder.write(
      "{\"type\": \"ImageView\", \"imageFile\": \"white.jpg\", \"contentMode\": \"scaleToFill\"}", to: "scene.json")
    #expect(try run("--check \(scene)") == ("\(scene) is good\n", 0))
    #expect(try run("--scene \(scene) --size 300x200 --screenshot \(picture)").status == 0)
    #expect(try #require(Snapshot.read(picture))[150, 100] == 0xffff_ffff)
    // The loader ends at a library that is empty: a program that was linked with it would not start.
    try FileManager.default.createDirectory(atPath: folder.path + "/without", withIntermediateDirectories: false)
    try folder.write("", to: "without/libturbojpeg.so.0")
    let without = "LD_LIBRARY_PATH=\(folder.path)/without"
    #expect(
      try Product.cockpit.run("--check \(scene)", variables: without) == (
        "cockpit: \(scene):1:36: imageFile: \(folder.path)/white.jpg: is a JPEG picture, which needs libturbojpeg.so.0 "
          + "(Debian's package libturbojpeg0)\n", 1
      ))
    try folder.write("{\"type\": \"Label\", \"text\": \"0\"}", to: "plain.json")
    #expect(
      try Product.cockpit.run("--check \(folder.path)/plain.json", variables: without) == (
        "\(folder.path)/plain.json is good\n", 0
      ))
  }

  @Test func `a pipe is no record and no scene: it is refused, not waited for`() throws {
    let pipe = Self.file + ".pipe"
    #expect(mkfifo(pipe, 0o600) == 0)
    defer { unlink(pipe) }
    for option in ["--replay \(pipe) --no-window", "--replay \(pipe)", "--replay /dev/zero --no-window"] {
      let (output, status) = try run(option)
      #expect(
        status == 1 && output.contains("no regular file") && output.split(separator: "\n").count == 1, "\(output)")
    }
    for option in ["--scene \(pipe) --dump-tree", "--watch \(pipe) --dump-tree", "--check \(pipe)"] {
      let (output, status) = try run(option)
      #expect(status == 1 && output.contains("no regular file"), "\(option): \(output)")
    }
  }

  @Test func `what does nothing together is told in one line, with status 2`() throws {
    for (options, words) in [
      (
        "--record a.jsonl --screenshot b.png", "--record doesn't go with --screenshot: it does nothing without a window"
      ),
      ("--drive - --screenshot b.png", "--drive doesn't go with --screenshot: it does nothing without a window"),
      ("--drive-rate 50", "--drive-rate does nothing without --drive"),
      ("--replay a.jsonl --size 8x8", "--size doesn't go with --replay: the record says what happens"),
    ] {
      #expect(try run("\(options)") == ("cockpit: \(words)\n", 2))
    }
  }

  @Test func `a replay prints lines that no consumer takes for commands, and says when nobody takes them`() throws {
    let record = Self.file
    defer { unlink(record) }
    write(
      """
      {"cockpit":1,"start":"0","drive":true,"deadMan":true,"rate":30,"telemetry":false}
      {"t":0,"lose":"hidden"}
      {"t":5000000000,"end":true}

      """)
    let (output, status) = try run("--replay \(record) --no-window --drive -")
    let lines = output.split(separator: "\n")
    #expect(
      status == 0 && lines.count > 100 && lines.allSatisfy { $0.hasPrefix("{\"v\":0,\"seq\":") && $0.hasSuffix("}") })
    let full = try run("--replay \(record) --no-window --drive - 3>&1 >/dev/full 2>&3")
    #expect(full.status == 1)
  }

  @Test func `--save-config writes through a link, and leaves what a crashed run has left`() throws {
    let folder = Self.file + ".linked"
    let (link, real, old) = (folder + "/cockpit/config.json", folder + "/real.json", folder + "/real.json.new")
    defer {
      for file in [link, real, old] { unlink(file) }
      rmdir(folder + "/cockpit")
      rmdir(folder)
    }
    #expect(mkdir(folder, 0o700) == 0 && mkdir(folder + "/cockpit", 0o700) == 0)
    #expect(symlink("../real.json", link) == 0 && symlink("/nowhere", old) == 0)
    for size in ["640x400", "480x320"] {
      #expect(try run("--save-config --size \(size)", configuration: folder).status == 0)
      var information = stat()
      #expect(lstat(link, &information) == 0 && information.st_mode & S_IFMT == S_IFLNK)
      #expect(lstat(real, &information) == 0 && information.st_mode & S_IFMT == S_IFREG)
      #expect(try run("--dump-tree", configuration: folder) == run("--dump-tree --size \(size)"))
    }
  }

  @Test func `--save-config writes the options, and the next start has them, told where they are wrong`() throws {
    let folder = Self.file + ".config"
    let file = folder + "/cockpit/config.json"
    defer {
      unlink(file)
      rmdir(folder + "/cockpit")
      rmdir(folder)
    }
    let none = try run("--dump-tree --size 480x320", configuration: folder)
    #expect(none.status == 0)
    #expect(try run("--save-config --size 640x400 --beacon off", configuration: folder) == ("\(file)\n", 0))
    var status = stat()
    #expect(stat(file, &status) == 0 && status.st_mode & 0o777 == 0o600)
    let saved = try run("--dump-tree", configuration: folder)
    #expect(saved == (try run("--dump-tree --size 640x400 --beacon off")) && saved != none)
    #expect(try run("--dump-tree --size 480x320 --beacon on", configuration: folder) == none)
    #expect(try run("--dump-tree --config none --size 480x320", configuration: folder) == none)
    #expect(try run("--save-config --fullscreen", configuration: folder).status == 0)
    #expect(try run("--dump-tree", configuration: folder) == saved)
    let text = fopen(file, "w")
    fputs("{\n  \"size\": 7}", text)
    fclose(text)
    let mistake =
      "cockpit: \(file):2:11: size: needs WIDTHxHEIGHT in points, each from 1 to 32767, such as 1280x720, not 7\n"
    for arguments in ["--dump-tree", "--info", "--save-config --gear 3"] {
      #expect(try run(arguments, configuration: folder) == (mistake, 2))
    }
    for arguments in ["--version", "--help", "--dump-tree --config none"] {
      #expect(try run(arguments, configuration: folder).status == 0)
    }
    #expect(try run("--dump-tree --config /nowhere/a.json").status == 2)
  }
}
