import Linux

/// The pictures of files that are shown: a file is decoded once, however many views show it. The pool itself keeps none alive.
package enum PicturePool {
  private struct Entry {
    weak var picture: Picture?
    let error: PictureError?
    /// The file as it was when it was read; nil if it had been written a moment before.
    let stamp: FileStamp?
    /// The round in which it was read; nil outside of rounds.
    let round: Int?
    /// The reading on another thread that is to give the picture.
    weak var request: PictureRequest?

    /// True if the file at hand, whose stamp is `stamp`, is the one that was read.
    func holds(_ stamp: FileStamp?) -> Bool {
      stamp != nil && self.stamp == stamp || PicturePool.round != nil && round == PicturePool.round
    }
  }

  private static var entries: [String: Entry] = [:]
  private static var rounds = 0
  private static var round: Int?
  /// The number of entries from which those of pictures that are gone are dropped.
  private static var fullCount = 64
  /// How often a file was decoded, for tests.
  package private(set) static var decodedCount = 0

  /// Runs `body`, which loads a scene. A file is read at most once in it, even one that was written so lately that its stamp
  /// says nothing, and even if it cannot be read.
  package static func once(_ body: () -> Void) {
    guard round == nil else { return body() }
    rounds += 1
    round = rounds
    body()
    round = nil
  }

  /// The picture in `file`, whose stamp is `stamp`: one that is shown, or a new one.
  static func picture(of file: ImageReference, stamp: FileStamp?) throws(PictureError) -> Picture {
    if let known = entries[file.path], known.holds(stamp) {
      if let error = known.error, known.round == round, round != nil { throw error }
      if let picture = known.picture { return picture }
    }
    decodedCount += 1
    do throws(PictureError) {
      let picture = try file.load()
      note(Entry(picture: picture, error: nil, stamp: stamp, round: round), of: file)
      return picture
    } catch {
      note(Entry(picture: nil, error: error, stamp: nil, round: round), of: file)
      throw error
    }
  }

  /// The picture in `file`, whose stamp is `stamp`, read on another thread if none is shown that is the same.
  static func request(_ file: ImageReference, stamp: FileStamp?) -> PictureRequest {
    if let known = entries[file.path], known.holds(stamp) {
      if let picture = known.picture { return PictureRequest(picture) }
      if let request = known.request { return request }
    }
    decodedCount += 1
    let round = round
    let request = PictureRequest(file) { outcome in
      switch outcome {
      case .success(let picture):
        note(Entry(picture: picture, error: nil, stamp: stamp, round: round), of: file)
      case .failure(let error): note(Entry(picture: nil, error: error, stamp: nil, round: round), of: file)
      }
    }
    note(Entry(picture: nil, error: nil, stamp: stamp, round: round, request: request), of: file)
    return request
  }

  private static func note(_ entry: Entry, of file: ImageReference) {
    entries[file.path] = entry
    guard entries.count >= fullCount else { return }
    entries = entries.filter { $0.value.picture != nil || $0.value.request != nil }
    fullCount = max(64, entries.count * 2)
  }
}
