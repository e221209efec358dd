extension PrivateFolder {
  /// Writes bus.conf for a bus with the socket bus, both in this folder. It starts no services, and root may speak on it although it
  /// is another user's.
  func writeBusConfiguration() throws(LabError) {
    try write(
      """
      <busconfig>
        <type>session</type>
        <listen>unix:path=\(path)/bus</listen>
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
