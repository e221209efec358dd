// `import Stage` also imports the geometry that its declarations use.

@_exported import UICore
