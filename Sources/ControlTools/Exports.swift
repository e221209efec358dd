// Lets `import ControlTools` alone bring the controls that the tools work on.

@_exported import Controls
