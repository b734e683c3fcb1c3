# SPDX-License-Identifier: Apache-2.0
"""The canonical form of RFC 8785 for what the ledger writes, apart from the program that writes it."""

import json
import math

SHORT_ESCAPES = {'"': '\\"', "\\": "\\\\", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t"}


def string(text):
    """RFC 8785 section 3.2.2.2: only what must be escaped is."""
    parts = []
    for character in text:
        if character in SHORT_ESCAPES:
            parts.append(SHORT_ESCAPES[character])
        elif character < " ":
            parts.append(f"\\u{ord(character):04x}")
        else:
            parts.append(character)
    return '"' + "".join(parts) + '"'


def number(value):
    """ECMAScript's Number::toString, from the shortest digits that Python's repr gives."""
    if isinstance(value, int):
        if abs(value) > 2**53 - 1:
            raise ValueError(f"{value} is no integer that every reader keeps")
        return str(value)
    if not math.isfinite(value):
        raise ValueError(f"{value} has no JSON form")
    if value == 0:
        return "0"
    sign = "-" if value < 0 else ""
    mantissa, _, exponent = f"{abs(value)!r}".partition("e")
    whole, _, fraction = mantissa.partition(".")
    digits = (whole + fraction).lstrip("0")
    # The value is 0.DIGITS times ten to the power of `point`.
    point = int(exponent or 0) + (len(whole) if whole != "0" else -(len(fraction) - len(fraction.lstrip("0"))))
    digits = digits.rstrip("0")
    count = len(digits)
    if count <= point <= 21:
        return sign + digits + "0" * (point - count)
    if 0 < point <= 21:
        return sign + digits[:point] + "." + digits[point:]
    if -6 < point <= 0:
        return sign + "0." + "0" * -point + digits
    power = point - 1
    tail = f"e{'+' if power > 0 else '-'}{abs(power)}"
    return sign + digits[0] + ("." + digits[1:] if count > 1 else "") + tail


def canonical(value):
    """The canonical text of a JSON value."""
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, str):
        return string(value)
    if isinstance(value, (int, float)):
        return number(value)
    if isinstance(value, list):
        return "[" + ",".join(map(canonical, value)) + "]"
    # Names are ordered by their UTF-16 units.
    members = sorted(value.items(), key=lambda member: member[0].encode("utf-16-be"))
    return "{" + ",".join(f"{string(name)}:{canonical(member)}" for name, member in members) + "}"


def once(pairs):
    """An object whose names must be unique."""
    names = [name for name, _ in pairs]
    if len(set(names)) != len(names):
        raise ValueError(f"a name stands twice in {names}")
    return dict(pairs)


def is_canonical(line):
    """Whether a line of UTF-8 is its own canonical form."""
    return canonical(json.loads(line, object_pairs_hook=once)).encode() == line
