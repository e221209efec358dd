/// A part of a `List` under a header, which stays at the top while rows of it are in sight.
public struct Section<Elements: RandomAccessCollection, ID: Hashable, Row: View> {
  let title: String
  let rows: ForEach<Elements, ID, Row>

  /// A section with this title, whose rows are those of the one `ForEach` in `rows`. With an empty title it has no header. The identities in all
  /// sections of a list must differ.
  public init(_ title: String, rows: () -> ForEach<Elements, ID, Row>) { (self.title, self.rows) = (title, rows()) }
}

/// Collects the sections of a `List`, with `if`, `else` and `for` among them. All have elements and rows of the same types.
@resultBuilder public enum SectionBuilder {
  /// One section.
  public static func buildExpression<Elements, ID, Row>(
    _ section: Section<Elements, ID, Row>
  ) -> [Section<Elements, ID, Row>] { [section] }
  /// Several sections, in order.
  public static func buildBlock<Part>(_ parts: [Part]...) -> [Part] { parts.flatMap(\.self) }
  /// An `if` without `else`.
  public static func buildOptional<Part>(_ part: [Part]?) -> [Part] { part ?? [] }
  /// The first of two branches.
  public static func buildEither<Part>(first part: [Part]) -> [Part] { part }
  /// The second of two branches.
  public static func buildEither<Part>(second part: [Part]) -> [Part] { part }
  /// The sections of a `for`.
  public static func buildArray<Part>(_ parts: [[Part]]) -> [Part] { parts.flatMap(\.self) }
}
