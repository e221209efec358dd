"""Reads an animated PNG strictly, by the specification alone, and prints what it shows as JSON.

    read_film.py FILE

"canvas" is its size; "delays" are the milliseconds of each frame; "rects" what each frame covers; "frames" the whole picture after each, a list of
rows of hexadecimal pixels (red, green, blue, alpha), or null for a canvas of more than 10,000 pixels. Anything that is not as the
specification demands ends the program with a message.
"""

import json
import struct
import sys
import zlib


def demand(is_right, words):
    if not is_right:
        sys.exit(f"{sys.argv[1]}: {words}")


def chunks(data):
    demand(data[:8] == b"\x89PNG\r\n\x1a\n", "no PNG file")
    place = 8
    while place < len(data):
        demand(len(data) - place >= 12, "the file ends within a chunk")
        size, name = struct.unpack_from(">I4s", data, place)
        body = data[place + 8 : place + 8 + size]
        demand(len(body) == size and place + 12 + size <= len(data), f"the chunk {name} ends early")
        (check,) = struct.unpack_from(">I", data, place + 8 + size)
        demand(check == zlib.crc32(name + body), f"the chunk {name} has a wrong checksum")
        yield name.decode("ascii"), body
        place += 12 + size


def pixels(data, width, height):
    """The rows of a frame, which are unfiltered."""
    inflater = zlib.decompressobj()
    rows = inflater.decompress(data) + inflater.flush()
    demand(inflater.eof and not inflater.unused_data, "a frame's data does not end where it should")
    stride = 1 + width * 4
    demand(len(rows) == stride * height, "a frame has too many or too few rows")
    demand(all(rows[y * stride] == 0 for y in range(height)), "a row has a filter")
    return [[rows[y * stride + 1 + x * 4 :][:4] for x in range(width)] for y in range(height)]


found = list(chunks(open(sys.argv[1], "rb").read()))
names = [name for name, _ in found]
demand(names[0] == "IHDR" and names[-1] == "IEND" and names.count("IHDR") == names.count("IEND") == 1, f"the chunks are {names}")
width, height, depth, kind, *rest = struct.unpack(">IIBBBBB", found[0][1])
demand(width > 0 and height > 0 and (depth, kind, rest) == (8, 6, [0, 0, 0]), "the header is of another form")
demand(names[1] == "acTL", "acTL is not before the picture")
count, plays = struct.unpack(">II", found[1][1])
demand(names[2:4] == ["fcTL", "IDAT"], "the picture is not the first frame")
demand(names.count("IDAT") == 1 and names.count("fcTL") == count and plays == 0, "acTL counts other frames")
demand(names[4:-1] == ["fcTL", "fdAT"] * (count - 1), f"the chunks are {names}")

canvas = [[bytes(4)] * width for _ in range(height)]
number, rects, delays, frames = 0, [], [], []
is_small = width * height <= 10_000
for name, body in found[2:-1]:
    if name != "IDAT":
        demand(struct.unpack_from(">I", body)[0] == number, f"the {name} {number} has another number")
        number += 1
    if name == "fcTL":
        demand(len(body) == 26, "fcTL has another length")
        wide, high, x, y, part, whole, dispose, blend = struct.unpack(">4xIIIIHHBB", body)
        demand(wide > 0 and high > 0 and x + wide <= width and y + high <= height, "a frame lies beyond the canvas")
        demand(rects or (wide, high, x, y) == (width, height, 0, 0), "the first frame does not cover the canvas")
        demand((whole, dispose, blend) == (1000, 0, 1), "a frame is not drawn over the last")
        rects.append([x, y, wide, high])
        delays.append(part)
        continue
    for row, line in enumerate(pixels(body if name == "IDAT" else body[4:], wide, high)):
        for column, pixel in enumerate(line):
            demand(pixel[3] in (0, 255), "a pixel is half transparent")
            if pixel[3]:
                canvas[y + row][x + column] = pixel
    if is_small:
        frames.append([" ".join(pixel.hex() for pixel in line) for line in canvas])
demand(all(pixel[3] for line in canvas for pixel in line), "a pixel is transparent")
print(json.dumps({"canvas": [width, height], "delays": delays, "rects": rects, "frames": frames if is_small else None}))
