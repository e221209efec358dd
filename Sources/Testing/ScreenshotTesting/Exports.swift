// Makes `import ScreenshotTesting` alone sufficient for the views that its declarations use. Do not export anything else here.

@_exported import Controls
