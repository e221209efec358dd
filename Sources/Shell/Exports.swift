// Lets `import Shell` alone bring the loop, the log, and the geometry, event and content types that its declarations speak of.

@_exported import MainLoop
@_exported import UICore
