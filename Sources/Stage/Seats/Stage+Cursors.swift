import WaylandServer

extension Stage {
  /// Serves a bound wp_cursor_shape_manager_v1.
  func serve(_ manager: WpCursorShapeManagerV1Resource) {
    manager.onRequest = { [weak self] request in
      guard let self else { return }
      switch request {
      case .destroy: break
      case .getPointer(let device, let pointer):
        let seat: StageSeat? = pointer.flatMap { self.model($0) }
        self.serve(device) { [weak seat] in seat?.choose($0, serial: $1) }
      case .getTabletToolV2(let device, let tool):
        let pen: StagePen? = tool.flatMap { self.model($0) }
        self.serve(device) { [weak pen] in pen?.choose($0, serial: $1) }
      }
    }
  }

  private func serve(_ device: WpCursorShapeDeviceV1Resource, choose: @escaping (StageCursor, UInt32) -> Void) {
    device.onRequest = { [weak self] request in
      guard case .setShape(let serial, let shape) = request else { return }
      if !(1...34).contains(shape.rawValue) { self?.report(.protocolError, "the cursor shape \(shape.rawValue)") }
      choose(.shape(shape), serial)
    }
  }
}
