// Lets `import CockpitControls` alone bring the views that its controls are.

@_exported import Controls
