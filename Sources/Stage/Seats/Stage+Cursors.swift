// Named cursors.

import WaylandServer

extension Stage {
  /// Serves a bound wp_cursor_shape_manager_v1.
  func serve(_ manager: WpCursorShapeManagerV1Resource) {
    manager.onRequest = { [weak self] request in
      guard let self, case .getPointer(let device, let pointer) = request else { return }
      let seat: StageSeat? = pointer.flatMap { self.model($0) }
      device.onRequest = { [weak self, weak seat] request in
        guard case .setShape(let serial, let shape) = request else { return }
        if !(1...34).contains(shape.rawValue) { self?.report(.protocolError, "the cursor shape \(shape.rawValue)") }
        seat?.choose(.shape(shape), serial: serial)
      }
    }
  }
}
