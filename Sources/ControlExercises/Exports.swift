// Lets `import ControlExercises` alone bring the views that its controls are.

@_exported import Controls
