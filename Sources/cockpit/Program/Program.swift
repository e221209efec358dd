import cockpit

/// The executable. Everything else is in the library `cockpit`, so that other programs can use the cockpit's views.
@main enum Program {
  static func main() { Cockpit.main() }
}
