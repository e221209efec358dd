import Testing

@testable import Controls

/// Tables of numbers as users write them.
@Suite struct NumberFormatTests {
  @Test(arguments: [
    (0.0, 3, "0"), (-0.0, 3, "0"), (1.0, 3, "1"), (0.25, 3, "0.25"), (-3.0, 3, "-3"), (1.0 / 3, 3, "0.333"),
    (0.0004, 3, "0"), (-0.0004, 3, "0"), (0.9996, 3, "1"), (12345.678, 1, "12345.7"), (2.5, 0, "3"), (0.05, 2, "0.05"),
    (1e16, 3, "1e+16"), (.infinity, 3, "∞"), (-.infinity, 3, "-∞"), (.nan, 3, ""), (7, 99, "7"), (7.5, -1, "8"),
    (2_000_000, 9, "2000000"), (1e15, 0, "1000000000000000"), (-1_234_567.25, 9, "-1234567.25"),
    (999_999.9999999999, 9, "1000000"), (1e12, 3, "1000000000000"), (123_456_789.125, 9, "123456789.125"),
    (-1e15, 9, "-1000000000000000"), (9_007_199_254_740_992, 3, "9007199254740992"),
  ]) func `a number's text`(value: Double, digits: Int, text: String) {
    #expect(NumberFormat(fractionDigits: digits).text(value) == text)
  }

  @Test(
    arguments: [
      ("0.25", 0.25), (" 12 ", 12), ("-3", -3), ("−3", -3), ("1,5", 1.5), (".5", 0.5), ("+2", 2), ("1e3", 1000),
      ("1 000", 1000), ("", nil), ("abc", nil), ("nan", nil), ("inf", nil), ("-inf", nil), ("1e999", nil),
      ("0x10", nil),
      ("1.2.3", nil), ("5%", nil), ("--1", nil),
      // What is a thousand to one half of the world, and one to the other.
      ("1,234", nil), ("-12,345", nil), ("0,234", 0.234), ("1,2345", 1.2345), ("1.234", 1.234), ("1234,567", 1234.567),
      ("1,234.5", 1234.5), ("1.234,5", 1234.5), ("1,234,567", 1_234_567), ("1.234.567", 1_234_567),
      ("12'345", 12345), ("1 234,5", 1234.5), ("1,23,4", nil), ("1,234.5.6", nil), ("1,2.3", nil), (",5", 0.5),
      // Digits and signs of other scripts, and what an input method leaves around them.
      ("１２．５", 12.5), ("－３", -3), ("1。5", 1.5), ("１，５", 1.5), ("١٢٫٥", 12.5), ("१२", 12), ("\u{feff}12", 12),
      ("\u{200f}-4", -4), ("三", nil), ("½", nil),
    ] as [(String, Double?)]) func `a text's number`(text: String, value: Double?)
  {
    #expect(NumberFormat().value(text) == value)
  }

  @Test(arguments: [
    (0.0001, 3, 4), (1.0, 3, 3), (0.5, 0, 1), (0.25, 0, 2), (1.0 / 3, 3, 3), (1.0 / 3, 0, 1), (1e-12, 3, 9),
    (0.1, 1, 1),
    (2.5e-7, 3, 8), (5, 0, 0), (.infinity, 2, 2),
  ]) func `the digits that a step needs`(step: Double, least: Int, digits: Int) {
    #expect(NumberFormat.digits(of: step, atLeast: least) == digits)
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
