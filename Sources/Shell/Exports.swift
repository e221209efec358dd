// Lets `import Shell` alone bring the geometry, event and content types that its declarations speak of.

@_exported import UICore
