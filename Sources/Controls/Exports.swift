// Lets `import Controls` alone bring the geometry and event types that its declarations speak of.
// Must not gain anything else.

@_exported import Interface
