import Controls
import Testing

/// Tables of numbers as users write them.
@Suite struct NumberFormatTests {
  @Test(arguments: [
    (0.0, 3, "0"), (-0.0, 3, "0"), (1.0, 3, "1"), (0.25, 3, "0.25"), (-3.0, 3, "-3"), (1.0 / 3, 3, "0.333"),
    (0.0004, 3, "0"), (-0.0004, 3, "0"), (0.9996, 3, "1"), (12345.678, 1, "12345.7"), (2.5, 0, "3"), (0.05, 2, "0.05"),
    (1e16, 3, "1e+16"), (.infinity, 3, "∞"), (-.infinity, 3, "-∞"), (.nan, 3, ""), (7, 99, "7"), (7.5, -1, "8"),
  ]) func `a number's text`(value: Double, digits: Int, text: String) {
    #expect(NumberFormat(fractionDigits: digits).text(value) == text)
  }

  @Test(
    arguments: [
      ("0.25", 0.25), (" 12 ", 12), ("-3", -3), ("−3", -3), ("1,5", 1.5), (".5", 0.5), ("+2", 2), ("1e3", 1000),
      ("1 000", 1000), ("", nil), ("abc", nil), ("nan", nil), ("inf", nil), ("-inf", nil), ("1e999", nil),
      ("0x10", nil),
      ("1.2.3", nil), ("5%", nil), ("--1", nil),
    ] as [(String, Double?)]) func `a text's number`(text: String, value: Double?)
  {
    #expect(NumberFormat().value(text) == value)
  }

  @Test func `whole numbers take no fractions`() {
    #expect(NumberFormat(fractionDigits: 0).value("2.5") == nil)
    #expect(NumberFormat(fractionDigits: 0).value("2.0") == 2)
  }

  @Test func `what is written is read again as what it says`() {
    let format = NumberFormat(fractionDigits: 4)
    for number in stride(from: -7.0, through: 7, by: 0.0037) {
      #expect(format.value(format.text(number)) == format.rounded(number), "\(number)")
    }
  }
}
