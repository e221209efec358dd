// Lets `import PNGFiles` alone bring the pixels that its declarations speak of.

@_exported import UICore
