import Glibc
import Linux
import UICore
import VideoLink
import VideoReading

/// Shows pictures to the cockpit: compares them with the ones before, decodes what is new into a free slot, and reports.
final class PictureSink {
  let cockpit: Cockpit
  private(set) var limit = PictureLimit()
  private let decoder: JPEGDecoder
  private var ring: FrameRing?
  private var rings: UInt32 = 0
  private var number: UInt64 = 0
  /// The encoded bytes of the newest picture.
  private var last: [UInt8] = []
  /// Whether the newest picture has been shown, or the one that it repeats.
  private var isShown = false
  /// Whether the newest picture could not be decoded.
  private var lastFailed = false

  init(_ cockpit: Cockpit) throws(VideoReadError) {
    self.cockpit = cockpit
    decoder = try JPEGDecoder()
  }

  /// Obeys the cockpit.
  func take(_ request: VideoRequest) {
    switch request {
    case .release(let id, let slot): if ring?.shape.id == id { ring?.release(slot) }
    case .limit(let width, let height, let framesPerSecond):
      limit.set(width: width, height: height, framesPerSecond: framesPerSecond)
    }
  }

  /// Takes a picture that is complete since `arrival`. It is decoded if it is new and `isNewest`. Returns memory that is not needed any more.
  func take(
    _ picture: consuming EncodedPicture, _ stamp: VideoStamp?, arrival: MonotonicTime, isNewest: Bool
  ) -> [UInt8] {
    number += 1
    let isRepeat = picture.bytes == last
    let isOffline = StampRule.isOffline(picture.fields)
    var frame = VideoFrame(
      ring: ring?.shape.id ?? 0, slot: nil, number: number, arrival: arrival.nanoseconds, isRepeat: isRepeat,
      stamp: stamp, encodedBytes: picture.bytes.count)
    if isOffline {
      lastFailed = true
      fail("the server has no picture of its camera (X-UStreamer-Online: false)")
    } else if isRepeat, lastFailed {
      // Still what could not be decoded.
    } else if (isRepeat && isShown) || !isNewest || !limit.allows(at: arrival.nanoseconds) {
      succeed(&frame)
    } else {
      show(picture.bytes, &frame)
    }
    isShown = frame.slot != nil || (isRepeat && isShown)
    let old = last
    last = picture.bytes
    return old
  }

  private func show(_ bytes: [UInt8], _ frame: inout VideoFrame) {
    do throws(VideoReadError) {
      let (width, height) = try decoder.size(of: bytes, within: limit)
      guard let slot = try slot(width, height) else { return succeed(&frame) }
      frame.ring = ring?.shape.id ?? 0
      let start = MonotonicTime.system
      let failure: VideoReadError?? = unsafe ring?.withSlot(slot) { memory in
        do throws(VideoReadError) {
          unsafe try decoder.decode(bytes, width, height, into: memory)
          return nil
        } catch { return error }
      }
      if case .some(.some(let failure)) = failure {
        ring?.release(slot)
        throw failure
      }
      frame.decodeTime = (MonotonicTime.system - start).inNanoseconds
      frame.slot = slot
      if frame.stamp == nil { frame.stamp = ring?.strip(slot) }
      succeed(&frame)
    } catch {
      lastFailed = true
      fail(error.description)
    }
  }

  /// Takes a picture that somebody else decodes or draws, and has been since `start`: `fill` gets a slot for this size and returns false if it
  /// fails. It is not called if no slot is free, or if the limit does not allow the picture.
  func draw(
    _ width: Int, _ height: Int, _ stamp: VideoStamp?, arrival: MonotonicTime, since start: MonotonicTime,
    encodedBytes: Int,
    _ fill: (UnsafeMutableRawBufferPointer) -> Bool
  ) {
    number += 1
    var frame = VideoFrame(
      ring: ring?.shape.id ?? 0, slot: nil, number: number, arrival: arrival.nanoseconds, stamp: stamp,
      encodedBytes: encodedBytes)
    do throws(VideoReadError) {
      guard limit.allows(at: arrival.nanoseconds), let slot = try slot(width, height) else { return succeed(&frame) }
      frame.ring = ring?.shape.id ?? 0
      guard unsafe ring?.withSlot(slot, fill) == true else {
        ring?.release(slot)
        return fail("a picture could not be copied")
      }
      frame.decodeTime = (MonotonicTime.system - start).inNanoseconds
      frame.slot = slot
      if frame.stamp == nil { frame.stamp = ring?.strip(slot) }
      succeed(&frame)
    } catch { fail(error.description) }
  }

  /// Reports that the newest picture has come again.
  func repeatLast(arrival: MonotonicTime) {
    number += 1
    var frame = VideoFrame(
      ring: ring?.shape.id ?? 0, slot: nil, number: number, arrival: arrival.nanoseconds, isRepeat: true,
      encodedBytes: last.count)
    succeed(&frame)
  }

  /// A slot for a picture of this size, in a new ring if the size is new; nil if none is free.
  private func slot(_ width: Int, _ height: Int) throws(VideoReadError) -> Int? {
    if ring?.shape.width != width || ring?.shape.height != height {
      rings += 1
      let made = try FrameRing(id: rings, width: width, height: height)
      cockpit.report(made.shape, file: made.file.number)
      ring = consume made
    }
    return ring?.take()
  }

  private func succeed(_ frame: inout VideoFrame) {
    lastFailed = false
    cockpit.report(.source(.receiving, text: receiving))
    guard !cockpit.report(frame), let slot = frame.slot else { return }
    ring?.release(slot)
    frame.slot = nil
  }

  /// What is said of a source that sends pictures.
  var receiving = ""

  private func fail(_ reason: String) { cockpit.report(.source(.undecodable, text: reason)) }
}
