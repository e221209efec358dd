import CSockets

/// Makes a datagram socket of `family` (AF_INET6, or AF_INET) hear also that a host cannot be reached, and keep its errors in a queue.
/// Returns false if that fails; the socket then hears of refusals only.
@discardableResult package func keepErrors(of socket: Int32, family: Int32) -> Bool {
  cockpit_keep_errors(socket, family) == 0
}

/// Takes the oldest error out of the queue of a datagram socket: its errno, 0 if the system gives none; nil if the queue is empty.
package func takeError(of socket: Int32) -> Int32? {
  let error = cockpit_take_error(socket)
  return error < 0 ? nil : error
}
