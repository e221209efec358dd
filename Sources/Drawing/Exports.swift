// Lets `import Drawing` alone bring the geometry and the files that its declarations speak of.
// Must not gain anything else.

@_exported import PNGFiles
@_exported import UICore
