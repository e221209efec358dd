// Lets `import ScreenshotTesting` alone bring the views that its declarations speak of.
// Must not gain anything else.

@_exported import Controls
