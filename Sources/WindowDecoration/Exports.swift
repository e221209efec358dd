// `import WindowDecoration` alone also imports the view trees that it decorates.

@_exported import Controls
