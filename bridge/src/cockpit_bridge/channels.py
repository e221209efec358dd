"""The channels of an exported record, with the JSON schema of each: what a reader of the MCAP file is told about its messages.

Foxglove reads a part of JSON Schema only: one type for each property, never null, and each object with its properties. So what is not known
is absent.
"""

from typing import Any

Schema = dict[str, Any]


def thing(about: str, **properties: Schema) -> Schema:
    return {"type": "object", "description": about, "properties": properties}


def is_a(kind: str, about: str) -> Schema:
    return {"type": kind, "description": about}


def numbered(about: str, least: float, most: float) -> Schema:
    return is_a("number", about) | {"minimum": least, "maximum": most}


SEAT = is_a("integer", "The seat: the person, if several use one screen.")
X = is_a("number", "Logical points from the left of the window.")
Y = is_a("number", "Logical points from its top.")
DEVICE_TIME = is_a("number", "Seconds on the clock of the device's events, which may be another than the record's.")

DRIVE = thing(
    "A command to the vehicle as docs/drive.md has it, computed again from the record.",
    v=is_a("integer", "0: a replay's line, which moves nothing. The line that was sent had 1."),
    id=is_a("string", "Whose line it is: new at each start of the cockpit, and after each suspend of its machine."),
    seq=is_a("integer", "Counts lines from 1 at the cockpit's start."),
    t=is_a("number", "When this was commanded: seconds on the cockpit's monotonic clock."),
    gear=is_a("string", "The lever: R, N or a forward gear, 1 the slowest."),
    throttle=numbered("-1 (reverse) through 0 to 1 (the highest gear).", -1, 1),
    steering=numbered("-1 (left lock) to 1 (right lock).", -1, 1),
    brake=is_a("boolean", "True in N, and only there."),
    horn=is_a("boolean", "True while it sounds."),
    held=is_a("boolean", "True while a person holds the lever or the wheel, by a finger or a key."),
    state=is_a("string", "ready, driving or safe."),
    reason=is_a("string", "Why the vehicle is in the state it is in."),
    rate=is_a("number", "Steady lines a second."),
    press=is_a("integer", "Counts how often STOP was pressed, with this id."),
    channels=thing("Further values by name, -1 to 1."),
    arm=is_a("boolean", "True while the driver wants the vehicle armed."),
    mode=is_a("string", "The name of the mode that the driver has chosen."))

INPUT = thing(
    "What a person did. `kind` names the only other property.",
    kind=is_a("string", "touches, hover, scroll, key, focus, gamepad, text, tilt or assist."),
    touches={"type": "array", "description": "Fingers, pens and the pointer's button that changed at once.", "items": thing(
        "A finger, a pen or a pointer whose button is down.",
        seat=SEAT, contact=is_a("string", "finger, pen or pointer."), finger=is_a("integer", "Which finger or pen."),
        phase=is_a("string", "began, moved, ended or cancelled."), x=X, y=Y,
        pressure=is_a("number", "0 to 1; absent if the device does not say."), deviceTime=DEVICE_TIME)},
    hover=thing("Where the pointer is; without x and y it has left.", seat=SEAT, x=X, y=Y),
    scroll=thing(
        "A turn of the wheel, or two fingers on a touchpad.",
        seat=SEAT, phase=is_a("string", "changed or ended."), x=X, y=Y, dx=is_a("number", "Logical points to the right."),
        dy=is_a("number", "Logical points down."), clicksX=is_a("number", "The wheel's steps to the right."),
        clicksY=is_a("number", "The wheel's steps down."), source=is_a("string", "What scrolled."),
        isInverted=is_a("boolean", "True for natural scrolling."), deviceTime=DEVICE_TIME),
    key=thing(
        "A key.",
        seat=SEAT, phase=is_a("string", "down, repeated, up or cancelled."), keysym=is_a("integer", "The key, by its number in xkb."),
        text=is_a("string", "What it types."), modifiers=is_a("integer", "One bit for each modifier."), deviceTime=DEVICE_TIME),
    gamepad=thing(
        "What a gamepad or a wheel with pedals asks for.",
        seat=SEAT, phase=is_a("string", "What became of the device."), steering=is_a("number", "-1 (left) to 1 (right)."),
        throttle=is_a("number", "0 to 1."), brake=is_a("number", "0 to 1."), handbrake=is_a("number", "0 to 1."),
        buttons=is_a("integer", "One bit for each button."), extras=is_a("integer", "One bit for each button of a vehicle's channels."),
        rightX=numbered("The right stick to the right.", -1, 1), rightY=numbered("The right stick up.", -1, 1), deviceTime=DEVICE_TIME),
    focus=thing("The keyboard's focus.", seat=SEAT, isFocused=is_a("boolean", "Whether the window has it.")),
    text=thing(
        "An edit by an input method or by pasting.",
        seat=SEAT, source=is_a("string", "Where it came from."), deletedBefore=is_a("integer", "Deleted before the cursor."),
        deletedAfter=is_a("integer", "Deleted after it."), inserted=is_a("string", "The text."),
        preedit=is_a("string", "The text that is not decided yet.")),
    tilt=thing(
        "Steering by tilting.", degrees=is_a("number", "The wheel's angle; absent if tilting steers no longer."),
        isLost=is_a("boolean", "True if the sensor was lost.")),
    assist=thing(
        "An action of assistive technology.",
        view={"type": "array", "description": "The view's path in the tree.", "items": {"type": "integer"}},
        value=is_a("number", "The value that was set."), text=is_a("string", "The text that was set."),
        action=is_a("string", "The action that was performed.")))

TELEMETRY = thing(
    "What the vehicle told of itself, as far as the cockpit understands it.",
    speed=numbered("In km/h, negative backwards.", -9999, 9999),
    battery=numbered("0 (empty) to 1 (full).", 0, 1),
    linkAge=numbered("The age of the newest command that has arrived, in seconds.", 0, 86400),
    warnings={"type": "array", "description": "The gravest first.", "items": {"type": "string"}},
    id=is_a("string", "In an answer to a drive line: whose line it was."),
    ack=is_a("integer", "The newest accepted seq of that sender."),
    arrived=is_a("number", "When it arrived: seconds on the receiver's own monotonic clock."),
    driver=is_a("string", "Who drives the vehicle: you, other or none."),
    stop=is_a("string", "Only while a STOP is latched: who pressed it."),
    lifted=is_a("integer", "The highest press of the answered sender that somebody else has released."),
    line=is_a("string", "The whole line, if it says anything that no property above has: null, or what the cockpit does not understand."))

NOTICE = thing(
    "What the screen said of the camera's picture from now on.",
    state=is_a("string", "live, repeating, stale, undecodable or lost; off while no picture is looked at. All but live end a drive."),
    ageMs=is_a("integer", "The picture's age in milliseconds; absent if there was none."),
    includesCamera=is_a("boolean", "False if the age leaves out the way from the camera to the cockpit, which the source does not say."),
    framesPerSecond=is_a("integer", "Different pictures in the last second."),
    linkMs=is_a("integer", "Milliseconds to the vehicle and back; absent without answers."),
    camera=is_a("string", "The camera's name; empty if there is only one."))

FRAME = thing(
    "A complete picture that arrived.",
    number=is_a("integer", "Counts pictures from 1 since the program that fetches them began."),
    arrival=is_a("number", "When its last byte had arrived: seconds since the record's start. The publish time is the same."),
    bytes=is_a("integer", "Of the encoded picture."),
    isRepeat=is_a("boolean", "True if its bytes equal those of the picture before."),
    decodeMs=is_a("number", "Milliseconds that decoding took; 0 if it was not decoded."),
    stampKind=is_a("string", "The clock of the stamp: wall, steady or strip. Absent if the source has no stamps."),
    stamp=is_a("string", "When it was taken, in nanoseconds of that clock; a text, because it may be too large for a number."),
    ageMs=is_a("number", "Milliseconds from then to its arrival; absent if the stamp or the record does not say."),
    lagMs=is_a("number", "By how many milliseconds it came later than the quickest picture so far, by the stamps' differences."))

LINK = thing(
    "How good the way to the vehicle and back is, by its answers.",
    roundTripMs=is_a("integer", "Milliseconds to the vehicle and back."),
    lossPercent=is_a("integer", "Of the lines that were not answered."))

# Foxglove's own schema of this name: its log panel shows such messages.
LOG = thing(
    "A log message",
    timestamp={"type": "object", "title": "time", "description": "The log time of the message.", "properties": {
        "sec": is_a("integer", "Whole seconds.") | {"minimum": 0},
        "nsec": is_a("integer", "Nanoseconds beyond them.") | {"minimum": 0, "maximum": 999_999_999}}},
    level={"title": "foxglove.LogLevel", "description": "How grave it is.", "oneOf": [
        {"title": name, "const": level} for level, name in enumerate(["UNKNOWN", "DEBUG", "INFO", "WARNING", "ERROR", "FATAL"])]},
    message=is_a("string", "What happened."),
    name=is_a("string", "life, loss, link, telemetry, machine, window, look, scene or end."),
    file=is_a("string", "The record."),
    line=is_a("integer", "The line of the record.") | {"minimum": 0}) | {
        "required": ["timestamp", "level", "message", "name", "file", "line"]}

CHANNELS: dict[str, tuple[str, Schema]] = {
    "/drive": ("cockpit.Drive", DRIVE), "/input": ("cockpit.Input", INPUT), "/telemetry": ("cockpit.Telemetry", TELEMETRY),
    "/video/notice": ("cockpit.VideoNotice", NOTICE), "/video/frame": ("cockpit.VideoFrame", FRAME), "/link": ("cockpit.Link", LINK),
    "/events": ("foxglove.Log", LOG)}
REQUIRED = {
    "/drive": ["v", "seq", "t", "gear", "throttle", "steering", "brake", "horn", "held", "state", "reason"], "/input": ["kind"],
    "/video/notice": ["state"], "/video/frame": ["number", "arrival", "bytes", "isRepeat", "decodeMs"],
    "/link": ["roundTripMs", "lossPercent"]}


def schema(topic: str) -> tuple[str, Schema]:
    """The name and the JSON schema of a channel's messages."""
    name, made = CHANNELS[topic]
    return name, {"title": name} | made | ({"required": REQUIRED[topic]} if topic in REQUIRED else {})
