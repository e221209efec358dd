/// A description of a part of a panel: a value that says what is shown for the present state.
///
/// It is made anew whenever something that its `body` read has changed; what it describes, the views of Controls, stays as long as its place
/// in the panel does. So it must be cheap to make, and have no effects of its own.
@MainActor public protocol View {
  /// The type of what the view consists of.
  associatedtype Body: View
  /// What the view consists of. A property of an observed model that is read here has this evaluated again when it changes.
  @ViewBuilder var body: Body { get }
}

/// A view without a body: one that this module makes itself, or a `ViewRepresentable`.
@MainActor public protocol PrimitiveView: View where Body == Self {}

extension PrimitiveView {
  /// The view itself, which consists of no others.
  public var body: Self { self }
}

/// Collects the views of a block, with `if`, `else` and `switch` among them.
@resultBuilder public enum ViewBuilder {
  /// An empty block.
  public static func buildBlock() -> EmptyView { EmptyView() }
  /// A block of one view.
  public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
  /// A block of several views, in order.
  public static func buildBlock<each Content: View>(_ content: repeat each Content) -> TupleView<repeat each Content> {
    TupleView(repeat each content)
  }
  /// An `if` without `else`.
  public static func buildIf<Content: View>(_ content: Content?) -> OptionalView<Content> {
    OptionalView(content: content)
  }
  /// The first of two branches.
  public static func buildEither<First: View, Second: View>(first: First) -> ConditionalView<First, Second> {
    ConditionalView(branch: .first(first))
  }
  /// The second of two branches.
  public static func buildEither<First: View, Second: View>(second: Second) -> ConditionalView<First, Second> {
    ConditionalView(branch: .second(second))
  }
}

/// Nothing: takes no space.
public struct EmptyView: PrimitiveView, Builtin {
  /// Describes nothing.
  public init() {}

  func node(over old: Node?, at place: Place) -> Node { place.group(over: old, Self.self) }
}

/// Several views, in order: what a block with more than one line is.
public struct TupleView<each Content: View>: PrimitiveView, Builtin {
  private let content: (repeat each Content)

  init(_ content: repeat each Content) { self.content = (repeat each content) }

  func node(over old: Node?, at place: Place) -> Node {
    let group = place.group(over: old, Self.self)
    let inside = place.inside(group)
    var index = 0
    func next(_ view: some View) {
      group.set(index, to: build(view, over: group.child(index), at: inside))
      index += 1
    }
    repeat next(each content)
    return group
  }
}

/// What an `if` without `else` describes.
public struct OptionalView<Content: View>: PrimitiveView, Builtin {
  let content: Content?

  func node(over old: Node?, at place: Place) -> Node {
    place.branch(over: old, Self.self, content == nil ? 1 : 0) { old, place in
      if let content { build(content, over: old, at: place) } else { build(EmptyView(), over: old, at: place) }
    }
  }
}

/// What an `if` with `else`, or a `switch`, describes. Each branch is a place of its own: what one shows is gone while the other is shown.
public struct ConditionalView<First: View, Second: View>: PrimitiveView, Builtin {
  enum Branch {
    case first(First)
    case second(Second)
  }

  let branch: Branch

  func node(over old: Node?, at place: Place) -> Node {
    switch branch {
    case .first(let view): place.branch(over: old, Self.self, 0) { build(view, over: $0, at: $1) }
    case .second(let view): place.branch(over: old, Self.self, 1) { build(view, over: $0, at: $1) }
    }
  }
}

/// Views that get a modifier together: each of them gets it.
public struct Group<Content: View>: PrimitiveView, Builtin {
  private let content: Content

  /// The views in `content`, which are placed by what the group is in.
  public init(@ViewBuilder content: () -> Content) { self.content = content() }

  func node(over old: Node?, at place: Place) -> Node { build(content, over: old, at: place) }
}
