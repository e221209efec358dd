"""Reads a page of `stage run --report` strictly, and prints what a reader sees as JSON.

    read_report.py FILE

The page must be whole and well nested, and must have neither scripts nor handlers of events nor anything from elsewhere: pictures are PNG files
in the page, links lead to places in it. "headings", "rows" (the cells of each row of the table), "pictures" (the words, width and height of each),
"output" and "text" are printed.
"""

import base64
import html.parser
import json
import re
import struct
import sys
import zlib

TAGS = {
    *"html head meta title style body header h1 h2 h3 span small p dl dt dd nav ul li a main section article blockquote code div".split(),
    *"figure figcaption img details summary table thead tbody tr th td pre".split(),
}
EMPTY = {"meta", "img"}
ATTRIBUTES = {
    *"lang charset http-equiv content name class id href tabindex role aria-label scope colspan width height alt src".split(),
}


def demand(is_right, words):
    if not is_right:
        sys.exit(f"{sys.argv[1]}: {words}")


def judge_png(data):
    demand(data[:8] == b"\x89PNG\r\n\x1a\n", "a picture is no PNG file")
    place, names = 8, []
    while place < len(data):
        size, name = struct.unpack_from(">I4s", data, place)
        body = data[place + 8 : place + 8 + size]
        demand(struct.unpack_from(">I", data, place + 8 + size)[0] == zlib.crc32(name + body), "a picture is damaged")
        names.append(name)
        place += 12 + size
    demand(names[0] == b"IHDR" and names[-1] == b"IEND", "a picture is not whole")
    return struct.unpack_from(">II", data, 16)


class Reader(html.parser.HTMLParser):
    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.open, self.ids, self.links, self.pictures = [], [], [], []
        self.headings, self.rows, self.text, self.style, self.output = [], [], "", "", ""
        self.has_type = False

    def handle_decl(self, decl):
        demand(decl.lower() == "doctype html" and not self.open, f"the declaration {decl}")
        self.has_type = True

    def handle_starttag(self, tag, attrs):
        demand(tag in TAGS, f"the element {tag}")
        names = [name for name, _ in attrs]
        demand(len(names) == len(set(names)) and set(names) <= ATTRIBUTES, f"the attributes {names} of {tag}")
        attributes = dict(attrs)
        self.ids += [attributes["id"]] if "id" in attributes else []
        if tag == "a":
            demand(attributes["href"].startswith("#"), f"a link to {attributes['href']}")
            self.links.append(attributes["href"][1:])
        if tag == "img":
            kind, data = attributes["src"].split(",", 1)
            demand(kind == "data:image/png;base64", f"a picture from {kind[:80]}")
            size = judge_png(base64.b64decode(data, validate=True))
            demand(size == (int(attributes["width"]), int(attributes["height"])), "a picture has another size")
            demand(attributes["alt"], "a picture without words")
            self.pictures.append([attributes["alt"], *size])
        if tag in ("h1", "h2", "h3"):
            self.headings.append("")
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")
        if tag not in EMPTY:
            self.open.append(tag)

    def handle_endtag(self, tag):
        demand(self.open and self.open[-1] == tag, f"</{tag}> within {self.open}")
        self.open.pop()

    def handle_startendtag(self, tag, attrs):
        demand(False, f"<{tag}/>")

    def handle_comment(self, data):
        demand(False, "a comment")

    def handle_pi(self, data):
        demand(False, "an instruction")

    def unknown_decl(self, data):
        demand(False, "an unknown declaration")

    def handle_data(self, data):
        if self.open and self.open[-1] == "style":
            self.style += data
            return
        self.text += data
        if {"h1", "h2", "h3"} & set(self.open):
            self.headings[-1] += data
        if {"td", "th"} & set(self.open):
            self.rows[-1][-1] += data
        if "pre" in self.open:
            self.output += data


page = open(sys.argv[1], "rb").read().decode("utf-8")
demand(page.startswith("<!doctype html>\n") and page.endswith("</html>\n"), "the page is not whole")
reader = Reader()
reader.feed(page)
reader.close()
demand(reader.has_type and not reader.open, f"the page ends within {reader.open}")
demand(len(set(reader.ids)) == len(reader.ids), "an id comes twice")
demand(set(reader.links) <= set(reader.ids), f"links to nowhere: {set(reader.links) - set(reader.ids)}")
demand(not re.search(r"url\(|@import|expression", reader.style), "the style fetches something")
demand("default-src 'none'" in page, "there is no policy against scripts")
demand(not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", page), "an invisible character")
print(
    json.dumps(
        {
            "headings": reader.headings, "rows": reader.rows, "pictures": reader.pictures, "output": reader.output,
            "text": reader.text,
        }
    )
)
