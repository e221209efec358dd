extension StageCommand {
  /// The text of `stage help`. The manual page and the completions are made from the list of options.
  static let help = """
    stage plays a Wayland compositor by a script, and judges the client.

    Usage:
      stage run SCRIPT [OPTIONS] -- CLIENT [ARGUMENTS]
      stage check [OPTIONS] -- CLIENT [ARGUMENTS]
      stage serve SOCKET [OPTIONS] -- CLIENT [ARGUMENTS]
      stage record [--log FILE] -- CLIENT [ARGUMENTS]
      stage replay LOG
      stage mcp

    Commands:
      run         carry out a script: a JSON file with a list of steps
      check       play the built-in script: resizing, scales, outputs, seats, input, and a compositor that hangs, is late and crashes
      serve       carry out steps that come as lines of JSON over a Unix socket, given by its path or as an open descriptor's number
      record      run the client on the session's compositor, and write every message as a line of JSON
      replay      print a script made of the input in such a log
      mcp         serve the same steps as tools of the Model Context Protocol, for agents; wants Python and its package mcp
      help steps  print every step with its parameters, as a table in Markdown
      help globals
                  print what the compositor can offer (the setup's globals), with its versions, as a table in Markdown
      help schema print the same, and the setup, as JSON with a schema of each step's parameters
      rules       print every rule that clients are judged by, as a table in Markdown

    Options:
      --out FOLDER        write screenshots there (by default into the working directory)
      --against FOLDER    compare each screenshot with the one there, pixel by pixel
      --film FILE         write what the windows showed as an animated PNG, with the times of the stage's clock
      --report FILE       write a page about the run as one HTML file: steps, broken rules, pictures, and what the client printed
      --tap               print the report in the Test Anything Protocol
      --junit FILE        write the report to a file as JUnit's XML, too
      --seed N            seed the random sizes of the step storm (1 by default)
      --setup SETUP       set up the stage before the client starts, as a script's object does: '{allow: ["wrongSize"]}'
      --strict            let advice fail too: what the specification permits, and still is a waste or looks bad
      --details           with check: print steps, requests and objects, too, which may differ from run to run
      --log FILE          with record: write the log there (by default to the standard output)
      --help              print this text
      --version           print the version

    Exit codes:
      0   the client passed
      1   it broke a rule, or an expectation failed
      2   it died, or could not be started
      64  the arguments make no sense
      65  the script has an error, which is printed with its line and column

    """
}
