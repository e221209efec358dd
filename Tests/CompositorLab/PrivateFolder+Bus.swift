extension PrivateFolder {
  /// Writes bus.conf for a bus with the socket bus, both in this folder. It starts the services that `services` has, a folder, or none,
  /// and root may speak on it although it is another user's.
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
