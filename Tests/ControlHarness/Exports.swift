// Makes `import ControlHarness` alone sufficient for reference images and their tolerances. Do not export anything else here.

@_exported import ScreenshotTesting
