extension PrivateFolder {
  /// Writes bus.conf for a bus whose socket, `bus`, is in this directory too. `services` is a directory of services that the bus
  /// may start, or nil. Every user may connect, because root uses the bus of another user.
  func writeBusConfiguration(services: String? = nil) throws(LabError) {
    let services = services.map { "<servicedir>\($0)</servicedir>" } ?? ""
    try write(
      """
      <busconfig>
        <type>session</type>
        <listen>unix:path=\(path)/bus</listen>
        \(services)
        <auth>EXTERNAL</auth>
        <policy context="default">
          <allow user="*"/>
          <allow own="*"/>
          <allow send_destination="*"/>
          <allow receive_sender="*"/>
        </policy>
      </busconfig>
      """, to: "bus.conf")
  }
}
