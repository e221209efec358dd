// `import ControlTools` also imports the controls that the tools work on.

@_exported import Controls
