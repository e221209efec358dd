import Controls

/// Places a view of Controls, or one's own, among the descriptions.
///
///     struct Temperatures: ViewRepresentable {
///       let values: [Double]
///
///       func makeView(context: Context) -> Chart {
///         let chart = Chart()
///         chart.addSeries()
///         return chart
///       }
///
///       func updateView(_ chart: Chart, context: Context) {
///         chart.append(contentsOf: values.dropFirst(chart.pointCount(of: 0)))
///       }
///     }
@MainActor public protocol ViewRepresentable: PrimitiveView {
  /// The class of the view.
  associatedtype Represented: Controls.View
  /// What the view's actions find the newest description by.
  typealias Context = RepresentableContext<Self>

  /// Makes the view, once for each place. What it does on behalf of the user asks `context.description`, because the description that made it
  /// may be an old one by then.
  func makeView(context: Context) -> Represented

  /// Gives the view what the description says: after it was made, and whenever the description or something that was read here has changed.
  func updateView(_ view: Represented, context: Context)
}

/// What a `ViewRepresentable` knows of its place.
public final class RepresentableContext<Description: ViewRepresentable> {
  /// The newest description of the place.
  public fileprivate(set) var description: Description
  fileprivate(set) var environment: EnvironmentValues
  fileprivate weak var node: ActiveNode?

  fileprivate init(_ description: Description, _ environment: EnvironmentValues) {
    (self.description, self.environment) = (description, environment)
  }

  /// False if a description around this one is `disabled`. A control is disabled by itself.
  public var isEnabled: Bool { environment.isEnabled }

  /// Has `updateView` called before the next frame: after the user has set a value that the model may have refused.
  public func setNeedsUpdate() { node?.setNeedsUpdate() }

  /// Has `control` set the newest description's `binding` to its `value` on behalf of the user, and show what that has become.
  func connect<Shown: Controls.Control, Value>(
    _ control: Shown, _ value: KeyPath<Shown, Value>, to binding: KeyPath<Description, Binding<Value>>
  ) -> Shown {
    control.addAction(for: .valueChanged) { [self] in
      description[keyPath: binding].wrappedValue = $0[keyPath: value]
      setNeedsUpdate()
    }
    return control
  }
}

/// A description that reads nothing but itself: nothing need be watched.
protocol Plain {}

/// The place of one view of Controls.
final class ViewNode<Description: ViewRepresentable>: ActiveNode {
  private let context: RepresentableContext<Description>
  private let view: Description.Represented
  private var look: Look
  private let isPlain = Description.self is any Plain.Type

  init(_ description: Description, at place: Place) {
    look = place.look
    context = RepresentableContext(description, look.environment)
    view = description.makeView(context: context)
    super.init(place)
    context.node = self
    refresh()
  }

  func show(_ description: Description, at place: Place) {
    if !place.isAnew, look == place.look, areEqual(context.description, description) { return }
    look = place.look
    (context.description, context.environment) = (description, look.environment)
    refresh()
  }

  override func refresh() {
    super.refresh()
    let description = context.description
    if isPlain {
      description.updateView(view, context: context)
    } else {
      tracker.track(self) { description.updateView(view, context: context) }
    }
    if let control = view as? Controls.Control {
      put(look.environment.isEnabled, over: control.isEnabled) { control.isEnabled = $0 }
    }
    look.settings.apply(to: view)
  }

  override func collect(into views: inout [Controls.View]) { views.append(view) }
}
