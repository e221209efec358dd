// Lets `import ControlsUI` alone bring the colours, fonts and geometry that its declarations speak of, and `@Observable` for models. It does
// not bring Controls, whose classes have the names of the descriptions here: see docs/controls-ui.md.

import Controls
@_exported import Drawing
@_exported import Observation

/// The colours and text sizes of a panel, which its root has: the same type as in Controls.
public typealias Theme = Controls.Theme
/// How prominent a button is: the same type as in Controls.
public typealias ButtonStyle = Controls.ButtonStyle
/// How a picture is fitted into its frame: the same type as in Controls.
public typealias ContentMode = Controls.ContentMode
/// How the lengths of a stack's views are chosen: the same type as in Controls.
public typealias Distribution = Controls.StackView.Distribution
