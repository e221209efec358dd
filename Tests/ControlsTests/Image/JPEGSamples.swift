import FoundationEssentials

/// JPEG files that Pillow 13 wrote with libjpeg-turbo, of one picture of 24 x 16 pixels: a quarter each red, green, blue and white, by rows.
nonisolated enum JPEGSamples {
  /// Files in colours, by the way they are made.
  static let colors: [(name: String, base64: String)] = [
    (
      "baseline",
      """
      /9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAMCAgMCAgMDAwMEAwMEBQgFBQQEBQoHBwYIDAoMDAsKCwsNDhIQDQ4RDgsLEBYQERMU\
      FRUVDA8XGBYUGBIUFRT/2wBDAQMEBAUEBQkFBQkUDQsNFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQU\
      FBQUFBQUFBT/wAARCAAQABgDAREAAhEBAxEB/8QAFgABAQEAAAAAAAAAAAAAAAAACQcI/8QAHBABAAAHAQAAAAAAAAAAAAAAAAgJ\
      RUeEhcPE/8QAGQEAAgMBAAAAAAAAAAAAAAAACAkFBgcK/8QAIxEBAAABDQEAAAAAAAAAAAAAAMEFBgcIQkNFRoGCg4TDxP/aAAwD\
      AQACEQMRAD8Azoww1NY4ea/j9FJnLc7oFj11Mvdr51jUgscXjozHKS2TLeDT+4KtOeG8vknJMt6RJcFZOP/Z
      """
    ),
    (
      "coarse colours",
      """
      /9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAMCAgMCAgMDAwMEAwMEBQgFBQQEBQoHBwYIDAoMDAsKCwsNDhIQDQ4RDgsLEBYQERMU\
      FRUVDA8XGBYUGBIUFRT/2wBDAQMEBAUEBQkFBQkUDQsNFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQU\
      FBQUFBQUFBT/wAARCAAQABgDASIAAhEBAxEB/8QAGAAAAwEBAAAAAAAAAAAAAAAAAAgJBQf/xAAcEAEAAAcBAAAAAAAAAAAAAAAA\
      CAlFR4SFw8T/xAAWAQEBAQAAAAAAAAAAAAAAAAAIBgf/xAArEQAAAgQNBQAAAAAAAAAAAAAREgABAgQDBQYHExQVFyExMmSjCCNR\
      4uP/2gAMAwEAAhEDEQA/AF0djh5r+P0I+pbJlvBp/cuJbdPFjRA8P1qnITChARbZVnSr8jkmjTiTmXlSYe5KVOr1gncpDlJCMQmg\
      jAiQupQCOIAvWCjAFe7Pecfugque3/F9E//Z
      """
    ),
    (
      "progressive",
      """
      /9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAMCAgMCAgMDAwMEAwMEBQgFBQQEBQoHBwYIDAoMDAsKCwsNDhIQDQ4RDgsLEBYQERMU\
      FRUVDA8XGBYUGBIUFRT/2wBDAQMEBAUEBQkFBQkUDQsNFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQU\
      FBQUFBQUFBT/wgARCAAQABgDAREAAhEBAxEB/8QAFgABAQEAAAAAAAAAAAAAAAAACAYH/8QAGQEAAgMBAAAAAAAAAAAAAAAABwgE\
      BQYJ/9oADAMBAAIQAxAAAAHOcK1NlSLHY0ixl7oyc0sKpyXFc7//xAAXEAADAQAAAAAAAAAAAAAAAAAABhAH/9oACAEBAAEFAheu\
      Mz//xAAbEQABBAMAAAAAAAAAAAAAAAAQAAQHQUWDw//aAAgBAwEBPwFTVj9vMtrH/8QAHBEAAQMFAAAAAAAAAAAAAAAAEAAFBkJE\
      gYLC/9oACAECAQE/AU5UZM5ttuR//8QAGxAAAQQDAAAAAAAAAAAAAAAAEAADBYKDwcL/2gAIAQEABj8CT9dmYw9j/8QAFBABAAAA\
      AAAAAAAAAAAAAAAAIP/aAAgBAQABPyFZP//aAAwDAQACAAMAAAAQ7q0//8QAFhEBAQEAAAAAAAAAAAAAAAAAwRAg/9oACAEDAQE/\
      EMIbP//EABcRAAMBAAAAAAAAAAAAAAAAAAAggfD/2gAIAQIBAT8QNIt//8QAFBABAAAAAAAAAAAAAAAAAAAAIP/aAAgBAQABPxBI\
      H//Z
      """
    ),
    (
      "restart markers",
      """
      /9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAMCAgMCAgMDAwMEAwMEBQgFBQQEBQoHBwYIDAoMDAsKCwsNDhIQDQ4RDgsLEBYQERMU\
      FRUVDA8XGBYUGBIUFRT/2wBDAQMEBAUEBQkFBQkUDQsNFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQU\
      FBQUFBQUFBT/wAARCAAQABgDAREAAhEBAxEB/8QAFgABAQEAAAAAAAAAAAAAAAAABgkI/8QAHBABAAAHAQAAAAAAAAAAAAAAAAgJ\
      RUeEhcPE/8QAGQEAAgMBAAAAAAAAAAAAAAAACAkABQYH/8QAIxEBAAABDQEAAAAAAAAAAAAAAMEFBgcIQkNFRoGCg4TDxP/dAAQA\
      Af/aAAwDAQACEQMRAD8Azo4Yam//0C8PNfx+gVpy3O6C7rqZe7Xzv//RdgfLif/Snuamw7//00smW8Gn9wqac8N5fJRyZb0i/9Sq\
      aI//2Q==
      """
    ),
  ]

  /// The picture in shades of grey.
  static let grey = """
    /9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAMCAgMCAgMDAwMEAwMEBQgFBQQEBQoHBwYIDAoMDAsKCwsNDhIQDQ4RDgsLEBYQERMU\
    FRUVDA8XGBYUGBIUFRT/wAALCAAQABgBAREA/8QAFgABAQEAAAAAAAAAAAAAAAAACQcI/8QAHBABAAAHAQAAAAAAAAAAAAAAAAgJ\
    RUeEhcPE/9oACAEBAAA/AM6LHDzX8fosYvCWyZbwaf3Euf/Z
    """

  /// The picture in inks, by Adobe's convention.
  static let inks = """
    /9j/7gAOQWRvYmUAZAAAAAAA/9sAQwADAgIDAgIDAwMDBAMDBAUIBQUEBAUKBwcGCAwKDAwLCgsLDQ4SEA0OEQ4LCxAWEBETFBUV\
    FQwPFxgWFBgSFBUU/8AAFAgAEAAYBEMRAE0RAFkRAEsRAP/EABYAAQEBAAAAAAAAAAAAAAAAAAkACv/EABgQAQADAQAAAAAAAAAA\
    AAAAAAAJR4XE/9oADgRDAE0AWQBLAAA/AFTFUKoqYq5zqT2+AqkGN2YnekKsqiSZV2qhFUgxuzE7yqQY3Zid6RVCqJP/2Q==
    """

  /// The first file with data of a camera, which say that it lies on its right side (orientation 6).
  static let camera = """
    /9j/4AAQSkZJRgABAQAAAQABAAD/4QAuRXhpZgAATU0AKgAAAAgAAgEPAAIAAAAEY2FtAAESAAMAAAABAAYAAAAAAAD/2wBDAAMC\
    AgMCAgMDAwMEAwMEBQgFBQQEBQoHBwYIDAoMDAsKCwsNDhIQDQ4RDgsLEBYQERMUFRUVDA8XGBYUGBIUFRT/2wBDAQMEBAUEBQkF\
    BQkUDQsNFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBT/wAARCAAQABgDAREAAhEBAxEB\
    /8QAFgABAQEAAAAAAAAAAAAAAAAACQcI/8QAHBABAAAHAQAAAAAAAAAAAAAAAAgJRUeEhcPE/8QAGQEAAgMBAAAAAAAAAAAAAAAA\
    CAkFBgcK/8QAIxEBAAABDQEAAAAAAAAAAAAAAMEFBgcIQkNFRoGCg4TDxP/aAAwDAQACEQMRAD8Azoww1NY4ea/j9FJnLc7oFj11\
    Mvdr51jUgscXjozHKS2TLeDT+4KtOeG8vknJMt6RJcFZOP/Z
    """

  /// The bytes of the first file.
  static var plain: [UInt8] { bytes(colors[0].base64) }

  /// The bytes of one.
  static func bytes(_ base64: String) -> [UInt8] { Data(base64Encoded: base64).map(Array.init) ?? [] }

  /// A JPEG file with an orientation in EXIF data, by either order of bytes.
  static func turned(_ file: [UInt8], _ orientation: UInt8, isReversed: Bool = false) -> [UInt8] {
    let tag: [UInt8] =
      isReversed ? [0x12, 1, 3, 0, 1, 0, 0, 0, orientation, 0] : [1, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation]
    let head: [UInt8] =
      isReversed
      ? Array("II".utf8) + [42, 0, 8, 0, 0, 0, 1, 0] : Array("MM".utf8) + [0, 42, 0, 0, 0, 8, 0, 1]
    let content: [UInt8] = Array("Exif".utf8) + [0, 0] + head + tag + [0, 0, 0, 0, 0, 0]
    return Array(file[..<2]) + segment(0xe1, content) + file[2...]
  }

  /// A segment of a JPEG file.
  static func segment(_ marker: UInt8, _ content: [UInt8]) -> [UInt8] {
    let length = content.count + 2
    return [0xff, marker, UInt8(length >> 8), UInt8(length & 255)] + content
  }

  /// The file with another size in its frame.
  static func claiming(_ width: Int, _ height: Int, in file: [UInt8]) -> [UInt8] {
    var file = file
    guard let frame = frame(of: file) else { return file }
    for (place, number) in [(5, height), (7, width)] {
      file[frame + place] = UInt8(number >> 8)
      file[frame + place + 1] = UInt8(number & 255)
    }
    return file
  }

  /// The place of the frame's marker.
  static func frame(of file: [UInt8]) -> Int? {
    file.indices.dropLast().first { file[$0] == 0xff && [0xc0, 0xc1, 0xc2].contains(file[$0 + 1]) }
  }
}
