import Controls
import UICore

/// A card: a tile with the icon, the cause, and below it the remedy. The tile is amber for a fault; for quiet notices the card
/// is neutral and small.
///
/// It starts at 50 % opacity so that the first frame already shows it, is opaque shortly after, and fades out when control is
/// back. With reduced motion it appears and disappears at once.
final class LossBanner: PassiveView {
  static let fade = Duration.milliseconds(200)
  static let firstAlpha = 0.5

  /// False for a card over something that must be read: it goes at once where others fade out.
  var fadesOut = true
  /// The notice to show; nil fades out the card.
  var notice: LossNotice? {
    didSet { if notice != oldValue { noticeChanged() } }
  }
  /// The notice on the card, also while it fades out.
  private var shownNotice: LossNotice?
  private var words: Words?
  private lazy var presence = AnimatedValue(0, of: self, forKey: "presence") { [unowned self] presence in
    (alpha, isHidden) = (presence, presence == 0)
    if isHidden { (shownNotice, words) = (nil, nil) }
  }

  private struct Words {
    /// Everything that the layout of the texts depends on.
    struct Key: Equatable {
      let notice: LossNotice
      let language: Language.Code
      let width: Double
      let sizes: TextSizes
      let direction: LayoutDirection
    }

    let key: Key
    let cause: TextLayout
    let remedy: TextLayout

    /// The distance between cause and remedy; none between small letters, which need the whole height.
    var gap: Double { key.sizes.value < 16 ? 0 : (key.sizes.value * 0.12).rounded() }
    var height: Double { cause.size.height + gap + remedy.size.height }
    var broadest: Double { max(cause.size.width, remedy.size.width) }
  }

  init() {
    super.init("loss")
    isHidden = true
  }

  override var inspection: Inspection {
    guard let notice else { return Inspection() }
    return Inspection(values: [
      "reason": .string(notice.reason.rawValue), "cause": .string(notice.cause(in: .current)),
      "remedy": .string(notice.remedy(in: .current)),
    ])
  }

  override var accessibilityRole: AccessibilityRole { shownNotice?.isQuiet == true ? .label : .alert }
  override var accessibilityTitle: String { shownNotice?.spoken(in: .current) ?? "" }

  private func noticeChanged() {
    let fade = root?.prefersReducedMotion == false ? LossBanner.fade : .zero
    guard let notice else { return presence.move(to: 0, duration: fadesOut ? fade : .zero) }
    // Quiet notices are not announced: they wait until a screen reader reaches them.
    if !notice.isQuiet { root?.announce(notice.spoken(in: .current)) }
    shownNotice = notice
    setNeedsDisplay()
    superview?.setNeedsLayout()
    if presence.value < LossBanner.firstAlpha { presence.move(to: LossBanner.firstAlpha, duration: .zero) }
    presence.move(to: 1, duration: fade)
  }

  /// Ends the fading of a card that has no notice any more.
  func endFading() {
    if notice == nil { presence.jump(to: 0) }
  }

  // MARK: Geometry

  /// The sizes of cause and remedy in a card as wide as `slot` and at most as high: the scene's, or smaller ones if these are
  /// too large.
  static func sizes(in slot: Size, of scene: TextSizes) -> TextSizes {
    let most = min(slot.width / 20, slot.height / 4.6).rounded(.down)
    guard most < scene.value else { return scene }
    return TextSizes(label: max((most * scene.label / scene.value).rounded(), 12), value: max(most, 12))
  }

  private static func tile(_ letters: Double) -> Double { (letters * 2.6).rounded() }
  private static func pad(_ letters: Double) -> Double { (letters * 0.6).rounded() }

  /// The height of the card in `slot` with the present sizes, at most the slot's height.
  func height(in slot: Size) -> Double {
    guard let words = setWords(inWidth: slot.width) else { return 0 }
    return min((max(LossBanner.tile(letters), words.height) + 2 * LossBanner.pad(letters)).rounded(.up), slot.height)
  }

  /// The sizes of cause (`value`) and remedy (`label`), determined by the frame.
  @Redraws var sizes = TextSizes()
  private var letters: Double { sizes.value }

  /// The frame that encloses both texts, for tests.
  var textFrame: Rect {
    guard let words = setWords(inWidth: bounds.width) else { return .zero }
    let left = LossBanner.tile(letters) + 2 * LossBanner.pad(letters)
    return Rect(
      x: left, y: ((bounds.height - words.height) / 2), width: words.broadest, height: words.height)
  }

  /// The texts for a card of this width, laid out only when something changed; nil without a notice.
  private func setWords(inWidth card: Double) -> Words? {
    guard let shownNotice else { return nil }
    let language = Language.current
    let width = max(card - LossBanner.tile(letters) - 3 * LossBanner.pad(letters) - 2, 1)
    let direction = effectiveLayoutDirection
    let key = Words.Key(notice: shownNotice, language: language.code, width: width, sizes: sizes, direction: direction)
    if let words, words.key == key { return words }
    func set(_ text: String, _ font: Font) -> TextLayout { LossBanner.set(text, font, width, direction) }
    let weight = shownNotice.isQuiet ? Font.Weight.medium : .bold
    words = Words(
      key: key, cause: set(shownNotice.cause(in: language), Font(size: letters, weight: weight)),
      remedy: set(shownNotice.remedy(in: language), Font(size: sizes.label)))
    return words
  }

  /// A text in lines of about the same length, each aligned to the leading side, so that no word is left alone on the last one.
  private static func set(_ text: String, _ font: Font, _ width: Double, _ direction: LayoutDirection) -> TextLayout {
    func within(_ width: Double) -> TextLayout {
      TextLayout(text, font: font, limits: TextLimits(width: width, alignment: .leading, direction: direction))
    }
    let layout = within(width)
    guard layout.lineCount == 2 else { return layout }
    let whole = TextLayout(text, font: font).size.width
    for part in [0.55, 0.64, 0.72] where whole * part < width {
      let balanced = within(whole * part)
      if balanced.lineCount == 2 { return balanced }
    }
    return layout
  }

  // MARK: Drawing

  override func draw(_ canvas: Canvas) {
    guard let shownNotice, let words = setWords(inWidth: bounds.width) else { return }
    let palette = palette
    let pad = LossBanner.pad(letters)
    let radius = (letters * 0.7).rounded()
    let line = max((letters / 12).rounded(), 1)
    let card = bounds.insetBy(dx: line / 2, dy: line / 2)
    canvas.fill(roundedRect: card, cornerRadius: radius, palette.panel)
    let isQuiet = shownNotice.isQuiet
    canvas.stroke(roundedRect: card, cornerRadius: radius, isQuiet ? palette.hairline : palette.amber, width: line)
    let side = LossBanner.tile(letters)
    let tile = mirrored(Rect(x: pad, y: ((bounds.height - side) / 2).rounded(), width: side, height: side))
    if !isQuiet { canvas.fill(roundedRect: tile, cornerRadius: max(radius - pad / 2, 2), palette.amber) }
    let ink = isQuiet ? palette.quietText : palette.onLamp
    draw(LossSign(shownNotice.reason), in: tile.insetBy(dx: side * 0.16, dy: side * 0.16), ink, on: canvas)
    let left = side + 2 * pad
    let top = (bounds.height - words.height) / 2
    let text = isQuiet ? palette.quietText : palette.text
    draw(words.cause, leading: left, y: top, text, on: canvas)
    draw(words.remedy, leading: left, y: top + words.cause.size.height + words.gap, text, on: canvas)
  }

  private func draw(_ sign: LossSign, in rect: Rect, _ ink: Color, on canvas: Canvas) {
    let factor = rect.width / LossSign.side
    canvas.saved {
      canvas.translate(x: rect.minX, y: rect.minY)
      canvas.scale(x: factor, y: factor)
      canvas.stroke(sign.lines, ink, StrokeStyle(width: LossSign.lineWidth, cap: .round, join: .round))
      canvas.fill(sign.dots, ink)
    }
  }
}
