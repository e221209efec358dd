#!/usr/bin/env python3
"""sid.py FOLDER: compares the pictures that `./dev sid` drew there. A line of pictures.tsv has a number N and what was drawn: N.host.png by this
machine's build, N.libraries.png by the same build with the other Debian's libraries, N.sid.png by the other Debian's build. Fails if the compiler
changes a picture; what the libraries change is named."""
import struct
import sys
import zlib
from pathlib import Path


def read(path):
    """The width of a picture, its bytes per pixel, and its rows: files of the cockpit have 8 bits per channel and no filters."""
    data = path.read_bytes()
    place, packed, width, height, depth = 8, b"", 0, 0, 0
    while place < len(data):
        length, kind = struct.unpack_from(">I4s", data, place)
        if kind == b"IHDR":
            width, height, bits, colors = struct.unpack_from(">IIBB", data, place + 8)
            if bits != 8 or colors not in (2, 6):
                sys.exit(f"{path}: not 8 bits of red, green and blue")
            depth = 3 if colors == 2 else 4
        elif kind == b"IDAT":
            packed += data[place + 8:place + 8 + length]
        place += 12 + length
    rows = zlib.decompress(packed)
    stride = 1 + width * depth
    if any(rows[::stride]) or len(rows) != height * stride:
        sys.exit(f"{path}: its rows are filtered")
    return width, depth, [rows[start + 1:start + stride] for start in range(0, len(rows), stride)]


def difference(one, other):
    """In words, what two pictures have different; None if they have the same bytes."""
    if one.read_bytes() == other.read_bytes():
        return None
    (width, depth, rows), (*size, others) = read(one), read(other)
    if [width, depth, len(rows)] != [*size, len(others)]:
        return "have different sizes or channels"
    count, largest, columns, lines = 0, 0, [], []
    for y, (row, second) in enumerate(zip(rows, others)):
        if row == second:
            continue
        lines.append(y)
        for x in range(width):
            pixel = slice(x * depth, (x + 1) * depth)
            if row[pixel] != second[pixel]:
                count += 1
                columns.append(x)
                largest = max(largest, *(abs(a - b) for a, b in zip(row[pixel], second[pixel])))
    if not count:
        return "have the same pixels, in files that differ"
    left, top = min(columns), lines[0]
    box = f"{max(columns) + 1 - left}x{lines[-1] + 1 - top} at {left},{top}"
    return f"differ in {count:,} of {width * len(rows):,} pixels, by at most {largest} of 255, in {box}"


def versions(path):
    """The versions of libraries without Debian's own part, which says nothing about what they draw."""
    pairs = (line.split() for line in path.read_text().splitlines())
    return {name.split(":")[0]: version.split(":")[-1].split("-")[0].split("+")[0] for name, version in pairs}


def main():
    folder = Path(sys.argv[1])
    here, there = versions(folder / "versions.host"), versions(folder / "versions.sid")
    print("libraries here and there: " + ", ".join(
        f"{name} {version} {there[name]}" if version != there[name] else f"{name} {version}" for name, version in here.items()))
    same = compiled = count = 0
    for line in (folder / "pictures.tsv").read_text().splitlines():
        number, drawn = line.split("\t")
        host, libraries, sid = (folder / f"{number}.{name}.png" for name in ("host", "libraries", "sid"))
        by_compiler, by_libraries = difference(libraries, sid), difference(host, libraries)
        count += 1
        compiled += by_compiler is None
        same += host.read_bytes() == sid.read_bytes()
        if by_compiler:
            print(f"{drawn}: the two builds {by_compiler} ({libraries}, {sid})")
        if by_libraries:
            print(f"{drawn}: with the libraries of each, pictures {by_libraries} ({host}, {libraries})")
        if not by_compiler and not by_libraries:
            print(f"{drawn}: equal")
    print(f"{compiled} of {count} pictures have the same bytes from both compilers; {same} of {count} also from the libraries of both")
    return compiled < count


if __name__ == "__main__":
    sys.exit(main())
