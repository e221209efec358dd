import DriveLink
import Shell

nonisolated extension Set<ProgramUse> {
  fileprivate static var all: Set { Set(ProgramUse.allCases) }
  fileprivate static var cockpit: Set { [.cockpit] }
  /// The cockpit in a window or as an image.
  fileprivate static var scenes: Set { [.cockpit, .image] }
  /// The modes that write an image or a tree.
  fileprivate static var outputs: Set { [.image, .hiddenReplay] }
}

nonisolated extension OptionName {
  /// The table of options, one row for each.
  var row: OptionRow {
    switch self {
    case .size: .value(.points, .scenes, "window size in logical points (default 1280x720)", \.size)
    case .scale:
      .value(
        .number("S", 0.25...10, "a number from 0.25 to 10, such as 1.5"), .scenes,
        "draw at this scale, 0.25 to 10, instead of the compositor's"
      ) { $0.scale = Scale($1) }
    case .fullscreen: .switch([.cockpit, .replay], "cover the whole output; F11 changes it later", \.isFullscreen)
    case .iviID:
      .value(
        .whole("N", 1...Int(UInt32.max) - 1, such: 7001), .cockpit,
        "be the surface of this number on a car's display (ivi_application)"
      ) { $0.role = .ivi(id: UInt32($1)) }
    case .strip:
      .value(
        .words(["top": WindowRole.Side.top, "bottom": .bottom, "left": .left, "right": .right]), .cockpit,
        "show a strip along this side over other windows; touches outside its controls pass through; --size sets its "
          + "thickness (240, vertical 320)"
      ) { $0.role = .strip($1) }
      .recorded {
        if case .strip(let side) = $0.role { "\(side)" } else { nil }
      }
    case .gear: .value(.gear, .scenes, "gear to begin in (default N)", \.gear).recorded()
    case .steer:
      .value(
        .number(
          "DEG", -Options.greatestSteering...Options.greatestSteering,
          "degrees from -450 (left) to 450 (right), such as -90"), .scenes,
        "wheel angle to begin with in degrees, right is positive, -450 to 450 (default 0)", \.steeringDegrees
      ).recorded()
    case .tilt:
      .value(
        .tilt, .scenes,
        "steer by tilting the device, by its accelerometer or the one in a folder of sysfs (default off)", \.tilt
      ).recorded()
    case .gamepad:
      .value(
        .gamepad, .cockpit,
        "drive by gamepads and wheels: by all that are there, or by one, by its file or a part of its name (default off); "
          + "see docs/gamepads.md", \.gamepad
      ).recorded()
    case .beacon:
      .value(.onOff, .scenes, "let the dot before READY pulse or keep it dark (default on)", \.showsBeacon).recorded()
    case .theme:
      .value(
        .words(["auto": ThemeChoice.auto, "dark": .dark, "light": .light]), .scenes,
        "dark, light, or the desktop's preference (auto, the default; dark if the desktop has none)", \.theme)
    case .scene:
      .value(.layoutFile, .scenes, "show the scene of a layout file, see docs/scenes.md") {
        ($0.scene, $0.watchesScene) = ($1, false)
      }
    case .watch:
      .value(.layoutFile, .scenes, "the same, and again whenever the file changes") {
        ($0.scene, $0.watchesScene) = ($1, true)
      }
    case .check:
      .value(
        .layoutFile, [.check], "check a scene's or a vehicle's file and exit: with status 0 if it is valid, 1 if not"
      ) {
        $0.action = .check($1)
      }
    case .screenshot:
      .value(.imageFile, .outputs, "write the first frame as an image and exit; needs no compositor", \.screenshot)
    case .dumpTree: .task(.outputs, "print the view tree and exit; needs no compositor") { $0.dumpsTree = true }
    case .frames: .value(.whole("N", 1...Int(Int32.max), such: 600), .cockpit, "exit after this many frames", \.frames)
    case .latency:
      .switch(
        .cockpit,
        "measure the time from input to commit and to the screen, and missed refreshes; prints a table at exit",
        \.measuresLatency)
    case .vehicle:
      .value(
        .vehicleFile, .scenes,
        "take receiver, limits, channels, battery alarm and unit of speed from a vehicle's file (docs/vehicles.md); options on the "
          + "command line win", \.vehicle)
    case .drive:
      .value(
        .destination, [.cockpit, .replay, .hiddenReplay],
        "send the controls' commands as lines of JSON to -, unix:PATH or udp:HOST:PORT, whose receiver needs a watchdog "
          + "(docs/drive.md lists its duties); or to bridge:NAME:PLACE, such as bridge:donkey:192.168.4.1: "
          + "cockpit-bridge is started for this receiver", \.receiver
      ).recorded()
    case .driveRate:
      .value(
        .whole("N", DriveStream.rates, such: 30), .cockpit, needs: [.drive],
        "lines a second while something is held (default 30)", \.driveRate
      ).recorded()
    case .limit:
      .value(
        .share, .cockpit, needs: [.drive],
        "the throttle of the highest gear, 0.05 to 1 (default 1); the others have their share of it", \.limit
      ).recorded()
    case .reverseLimit: .value(.share, .cockpit, needs: [.drive], "the same for R", \.reverseLimit).recorded()
    case .ramp:
      .value(
        .number("SECONDS", DriveShaping.ramps, "a number of seconds from 0 to 30, such as 1.5"), .cockpit,
        needs: [.drive], "how long throttle takes to rise from 0 to 1 (default 0: at once); it falls at once", \.ramp
      ).recorded()
    case .trim:
      .value(
        .number("PART", DriveShaping.trims, "a part of the lock from -0.2 (left) to 0.2 (right), such as -0.03"),
        .cockpit, needs: [.drive],
        "add this to the steering while anything is commanded, -0.2 (left) to 0.2 (default 0)", \.trim
      ).recorded()
    case .expo:
      .value(
        .number("PART", DriveShaping.expos, "a number from 0 to 1, such as 0.4"), .cockpit, needs: [.drive],
        "steer finer around the centre, 0 (even, the default) to 1 (cubic)", \.expo
      ).recorded()
    case .throttle:
      .value(
        .words(["gears": Options.Throttle.gears, "lever": .lever]), .cockpit, needs: [.drive],
        "by gears, in steps (default), or by where the lever's finger lies between them", \.throttle
      ).recorded()
    case .deadMan:
      .value(
        .onOff, .cockpit,
        "obey lever, wheel and keys only while they are held (default on with --drive, else off). If off, a lever left in "
          + "gear drives on after the finger is lifted", \.deadMan
      ).recorded()
    case .vigilance:
      .value(
        .number("SECONDS", 0.5...600, "a number of seconds from 0.5 to 600, such as 10"), .cockpit, needs: [.drive],
        "treat a hold as lost after this long without a motion or a new press (default: never)"
      ) { $0.vigilance = .seconds($1) }
    case .answerLimit:
      // The compositor is asked for answers while anything is commanded.
      .value(
        .whole("MS", 100...2000, such: 300, unit: " of milliseconds"), .cockpit, needs: [.drive, .deadMan],
        "how long the compositor may take to answer while a control is held, before all input is lost (default 300)"
      ) { $0.answerLimit = .milliseconds($1) }
    case .linkLimit:
      .value(
        .whole("MS", 100...5000, such: 500, unit: " of milliseconds"), .cockpit, needs: [.drive],
        "how long the receiver may take to answer a line while something is commanded, once it has answered one (default 500)"
      ) { $0.linkLimit = .milliseconds($1) }
    case .telemetry:
      .value(
        .source, .cockpit,
        "show the telemetry that a vehicle sends as lines of JSON to -, unix:PATH or udp:PORT, not the built-in car's",
        \.telemetry
      )
      // A driven bridge is a source too.
      .recorded { $0.telemetrySource == nil ? nil : "-" }
    case .machine:
      .value(
        .words(["auto": true, "off": false]), .cockpit, needs: [.drive],
        "show the battery and the Wi-Fi of this machine, with a warning before they end the drive (auto, the default), or nothing "
          + "of them (off)", \.showsMachine)
    case .video:
      .value(
        .video, .scenes,
        "show a camera: http://, rtsp://, udp:PORT, v4l2:/dev/videoN, - or test; several as \"NAME=SOURCE NAME=SOURCE\" (docs/video.md). "
          + "A picture that is too old ends a drive", \.video
      ).recorded()
    case .videoView:
      .value(
        .words(["full": VideoMode.full, "inset": .inset, "off": .off]), .scenes, needs: [.video],
        "show the picture behind everything (full, the default), in a corner (inset) or not at first (off); v changes it",
        \.videoView
      ).recorded()
    case .videoLimit:
      .value(
        .whole("MS", 100...2000, such: 400, unit: " of milliseconds"), .cockpit, needs: [.video],
        "how old the picture may be while something is commanded (default 400)"
      ) { $0.videoLimit = .milliseconds($1) }
    case .videoStamps:
      .value(
        .words(["ages": VideoFreshness.Stamps.ages, "differences": .differences, "ignored": .ignored]), .cockpit,
        needs: [.video],
        "take the stamps of a source for ages (default), only for their differences if its clock is wrong, or not at all",
        \.videoStamps)
    case .record: .value(.recordFile, .cockpit, "write input, sizes and times to a file", \.record)
    case .replay:
      .value(
        .recordFile, [.replay, .hiddenReplay],
        "play a recorded file: the same images. With --drive - its lines are printed, marked \"v\":0, so that they drive nothing",
        \.replay)
    case .replaySpeed:
      .value(
        .words(["real": false, "fast": true]), [.replay, .hiddenReplay], needs: [.replay],
        "play in the time of the record, or as fast as possible (default: fast without a window)"
      ) { $0.replaysFast = $1 }
    case .noWindow:
      .task([.hiddenReplay], needs: [.replay], "play without a window, as --screenshot does too") {
        $0.hidesWindow = true
      }
    case .reconnectFor:
      .value(
        .number("SECONDS", 0...86_400, "a number of seconds from 0 to 86400, such as 30"), .cockpit,
        "if the compositor is lost, wait this long for a new one; 0 ends at once (default: indefinitely)",
        \.reconnectSeconds)
    case .log:
      .value(
        .logLevels, Set.all.subtracting([.check]),
        "what to log to standard error, such as frame:debug,input (wayland: every message to and from the compositor)",
        \.log)
    // Not a setting, because a scripted drive is shown only on request.
    case .demo: .switch(.cockpit, isSetting: false, "play a drive of ten seconds by itself", \.playsDemo).recorded()
    case .keepRunning: .switch(.cockpit, "keep running while the window is hidden", \.keepsRunning)
    case .config:
      .value(
        .configuration, Set.all.subtracting([.check]), isSetting: false,
        "read this file of options instead of your own, or none; see docs/configuration.md", \.configuration)
    // It writes the options that would have an effect in a window.
    case .saveConfig:
      .task(
        .cockpit,
        "write the other options into that file, replacing those that it has, and exit; --OPTION=off removes an option "
          + "without value"
      ) { $0.action = .saveConfiguration }
    case .info:
      .task([.info], "report the compositor's globals, which of them are used and why, and exit") {
        $0.action = .showInfo
      }
    // These two end the program, and are allowed with any other option.
    case .version: .task(.all, "print the version and exit") { $0.action = .showVersion }
    case .help: .task(.all, "print this help and exit; also -h") { $0.action = .showHelp }
    }
  }
}
