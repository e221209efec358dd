// `import Stage` also imports the geometry and the protocol types that its declarations use.

@_exported import UICore
@_exported import WaylandServer
