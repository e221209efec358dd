extension Step.Wish.Action {
  /// The action's name in scene files, and of its button there.
  var buttonName: String {
    switch self {
    case .shiftUp: "shiftUp"
    case .shiftDown: "shiftDown"
    default: "brake"
    }
  }
}

extension Step.SceneText {
  /// The file's text.
  var json: String {
    switch self {
    case .own: file()
    case .bare: "{\"type\": \"CockpitPanel\"}"
    case .noLever: file(lever: nil)
    case .noWheel: file(wheel: nil)
    case .noDial: file(dial: nil)
    case .looseWheel: file(wheel: "\"springsBack\": false")
    case .buttons: file(more: Self.shifters)
    case .broken: "{\"type\": \"CockpitPanel\", \"subviews\": [{\"type\": \"Horm\"}]}"
    case .lever(let edit): file(lever: edit.json)
    case .wheel(let edit): file(wheel: edit.json)
    }
  }

  private static let shifters = ["shiftUp", "shiftDown", "brake"].enumerated().map { number, name in
    """
    {"type": "Button", "name": "\(name)", "title": "\(number)", "frame": [\(130 + 50 * number), 270, 40, 40],
      "actions": {"primaryActionTriggered": "\(name)"}}
    """
  }

  /// The cockpit's scene; nil leaves a part out.
  private func file(dial: String? = "", lever: String? = "", wheel: String? = "", more: [String] = []) -> String {
    func part(_ type: String, _ name: String, _ values: String?) -> [String] {
      guard let values else { return [] }
      return ["{\"type\": \"\(type)\", \"name\": \"\(name)\"\(values.isEmpty ? "" : ", ")\(values)}"]
    }
    let parts =
      part("InstrumentCluster", "cluster", dial)
      + part(
        "ThrottleGearbox", "gearbox", lever.map { $0.isEmpty ? "\"fit\": \"filling\"" : "\"fit\": \"filling\", \($0)" })
      + part("SteeringWheel", "wheel", wheel) + part("Horn", "horn", "") + more
    return """
      {"type": "CockpitPanel", "name": "panel", "wideFrom": 1.25, "margin": 0.03, "leftView": "gearbox", "leftWidth": 0.24,
        "stackedLeftWidth": 0.26, "rightView": "wheel", "rightHeight": 0.72, "stackedRightHeight": 0.42,
        "middleView": "cluster", "hubView": "horn", "dashboardEdge": 0.16, "subviews": [\(parts.joined(separator: ", "))]}
      """
  }
}

extension Step.Edit {
  /// The value as a layout file has it.
  fileprivate var json: String {
    switch self {
    case .gear(let number): "\"gear\": \"\(number < 0 ? "R" : number == 0 ? "N" : "\(number)")\""
    case .gearCount(let count): "\"gearCount\": \(count)"
    case .leverEnabled(let isEnabled), .wheelEnabled(let isEnabled): "\"isEnabled\": \(isEnabled)"
    case .leverHidden(let isHidden), .wheelHidden(let isHidden): "\"isHidden\": \(isHidden)"
    case .angle(let degrees): "\"angle\": \(degrees)"
    case .lock(let degrees): "\"lock\": \(degrees)"
    case .springsBack(let springs): "\"springsBack\": \(springs)"
    case .brake: ""
    }
  }
}
