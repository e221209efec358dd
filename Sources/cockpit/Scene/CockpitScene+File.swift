import ControlTools
import Controls

extension CockpitScene {
  /// The text of docs/cockpit.json.
  static let fileText = """
    // The cockpit's own scene. A copy of this file is where scenes of your own begin: cockpit --watch FILE.json
    {
      // Places backdrop, cluster, gearbox, wheel and horn by their names; other views lie where they say.
      "type": "CockpitPanel",
      "name": "panel",
      "subviews": [
        {"type": "Backdrop", "name": "backdrop"},
        {"type": "InstrumentCluster", "name": "cluster"},
        {
          "type": "ThrottleGearbox",
          "name": "gearbox",
          "fit": "filling",
          "showsGearNumbers": true,
          "showsSlot": true,
        },
        {"type": "SteeringWheel", "name": "wheel"},
        // The hub belongs to the wheel's square but not to the wheel: the horn lies in front of it.
        {"type": "Horn", "name": "horn"},
      ],
    }
    """

  /// The scene that the cockpit shows when no other is asked for.
  static func ownFile() throws(LayoutFileError) -> LayoutFile {
    try LayoutFile(text: fileText, name: "the cockpit's own scene")
  }
}
