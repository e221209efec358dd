// Lets `import WindowDecoration` alone bring the trees that it decorates.

@_exported import Controls
