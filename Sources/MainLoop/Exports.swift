// Lets `import MainLoop` alone bring the times that its declarations speak of.

@_exported import UICore
