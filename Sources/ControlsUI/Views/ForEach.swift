import Controls

/// One view for each element of a collection, with the element's identity: an element that moves takes its views along.
public struct ForEach<Elements: RandomAccessCollection, ID: Hashable, Content: View>: PrimitiveView, Builtin {
  let elements: Elements
  let id: KeyPath<Elements.Element, ID>
  let content: (Elements.Element) -> Content

  /// `content` for each of `elements`. The identities at `id` must differ: of elements that share one, the first is shown, and a fault is
  /// reported once.
  public init(
    _ elements: Elements, id: KeyPath<Elements.Element, ID>,
    @ViewBuilder content: @escaping (Elements.Element) -> Content
  ) {
    (self.elements, self.id, self.content) = (elements, id, content)
  }

  /// `content` for each of `elements`, which know their identities.
  public init(_ elements: Elements, @ViewBuilder content: @escaping (Elements.Element) -> Content)
  where Elements.Element: Identifiable, ID == Elements.Element.ID {
    self.init(elements, id: \.id, content: content)
  }

  func node(over old: Node?, at place: Place) -> Node {
    let node: KeyedNode<ID>
    if let old = old as? KeyedNode<ID> {
      node = old
    } else {
      old?.end()
      node = KeyedNode(place)
    }
    let inside = place.inside(node)
    node.update(elements, id) { element, old in
      build(ElementView(element: element, content: content), over: old, at: inside)
    }
    return node
  }
}

/// The view of one element: what its content reads has this one evaluated again and no other.
struct ElementView<Element, Content: View>: View {
  let element: Element
  let content: (Element) -> Content

  var body: Content { content(element) }
}

/// The places of things by their identities.
final class KeyedNode<ID: Hashable>: Node {
  private var order: [ID] = []
  private var children: [ID: Node] = [:]

  func update<Elements: Collection>(
    _ elements: Elements, _ path: KeyPath<Elements.Element, ID>, _ make: (Elements.Element, Node?) -> Node
  ) {
    var (newOrder, kept): ([ID], [ID: Node]) = ([], [:])
    newOrder.reserveCapacity(elements.count)
    for element in elements {
      let id = element[keyPath: path]
      guard kept[id] == nil else {
        hub.report("two elements of a ForEach have the identity \(id): the first is shown")
        continue
      }
      kept[id] = make(element, children.removeValue(forKey: id))
      newOrder.append(id)
    }
    for child in children.values { child.end() }
    if order != newOrder { hub.hasNewStructure = true }
    (order, children) = (newOrder, kept)
  }

  override func collect(into views: inout [Controls.View]) { for id in order { children[id]?.collect(into: &views) } }

  override func end() {
    super.end()
    for child in children.values { child.end() }
  }
}
