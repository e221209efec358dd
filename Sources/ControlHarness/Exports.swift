// Lets `import ControlHarness` alone bring pictures and their tolerances.
// Must not gain anything else.

@_exported import ScreenshotTesting
