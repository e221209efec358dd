import CTurboJPEG
import Testing

/// A JPEG picture of one shade.
func image(_ shade: UInt8, width: Int = 64, height: Int = 48) throws -> [UInt8] {
  let handle = try #require(tjInitCompress())
  defer { tjDestroy(handle) }
  let pixels = [UInt8](repeating: shade, count: width * height * 4)
  var bytes: UnsafeMutablePointer<UInt8>?
  var count: UInt = 0
  let result = tjCompress2(
    handle, pixels, Int32(width), 0, Int32(height), Int32(TJPF_BGRX.rawValue), &bytes, &count,
    Int32(TJSAMP_420.rawValue), 90, 0)
  try #require(result == 0)
  defer { tjFree(bytes) }
  return Array(UnsafeBufferPointer(start: bytes, count: Int(count)))
}
