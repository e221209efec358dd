import Controls

/// A text written with its caret as `|` and the other end of the selection as `^`.
enum MarkedText {
  static func model(_ marked: String, maximumLength: Int = 1000, hasLines: Bool = false) -> TextEditModel {
    let plain = marked.filter { $0 != "|" && $0 != "^" }
    var model = TextEditModel(plain, maximumLength: maximumLength, hasLines: hasLines)
    let caret = marked.filter { $0 != "^" }.prefix { $0 != "|" }.count
    model.move(to: marked.contains("^") ? marked.filter { $0 != "|" }.prefix { $0 != "^" }.count : caret)
    model.move(to: caret, extends: true)
    return model
  }

  static func of(_ model: TextEditModel) -> String {
    var characters = Array(model.text).map(String.init)
    let marks = [(model.caret, "|")] + (model.selection.isEmpty ? [] : [(model.anchor, "^")])
    for (place, mark) in marks.sorted(by: { $0.0 > $1.0 }) { characters.insert(mark, at: place) }
    return characters.joined()
  }
}
