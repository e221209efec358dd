// Lets `import Drawing` alone bring the geometry that its declarations speak of.
// Must not gain anything else.

@_exported import UICore
