// Lets `import Controls` alone bring the drawing, geometry, events and JSON values that its declarations speak of.
// Must not gain anything else.

@_exported import Drawing
@_exported import JSON
@_exported import UICore
