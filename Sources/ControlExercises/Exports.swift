// `import ControlExercises` also imports the views on which its controls are built.

@_exported import Controls
