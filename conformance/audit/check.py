"""A second implementation of the audit log's hash rule: Python 3, standard library only.

python3 check.py chain.json jcs.json   exits 0 when every vector holds, else names the first that does not.
"""

import hashlib
import json
import struct
import sys


def number(value):
    """ECMAScript's Number::toString, which RFC 8785 section 3.2.2.3 demands."""
    if isinstance(value, int):
        value = float(value)
    if value != value or value in (float("inf"), float("-inf")):
        raise ValueError("no JSON number")
    if value == 0:
        return "0"
    if value < 0:
        return "-" + number(-value)
    # repr() gives the shortest digits that read back as the same double, as ECMAScript does.
    mantissa, _, exponent = repr(value).partition("e")
    whole, _, fraction = mantissa.partition(".")
    if fraction == "0":
        fraction = ""
    digits = (whole + fraction).lstrip("0")
    point = len(whole) + int(exponent or "0")
    if whole.strip("0") == "":
        point -= len(whole) + len(fraction) - len(fraction.lstrip("0"))
    stripped = digits.rstrip("0")
    count = len(stripped)
    if count <= point <= 21:
        return stripped + "0" * (point - count)
    if 0 < point <= 21:
        return stripped[:point] + "." + stripped[point:]
    if -6 < point <= 0:
        return "0." + "0" * -point + stripped
    power = point - 1
    sign = "+" if power >= 0 else "-"
    head = stripped if count == 1 else stripped[0] + "." + stripped[1:]
    return "%se%s%d" % (head, sign, abs(power))


ESCAPES = {8: "\\b", 9: "\\t", 10: "\\n", 12: "\\f", 13: "\\r", 34: '\\"', 92: "\\\\"}


def string(text):
    out = []
    for character in text:
        code = ord(character)
        if 0xD800 <= code <= 0xDFFF:
            raise ValueError("lone surrogate")
        out.append(ESCAPES.get(code) or ("\\u%04x" % code if code < 32 else character))
    return '"' + "".join(out) + '"'


def canonical(value):
    if value is None:
        return "null"
    if value is True:
        return "true"
    if value is False:
        return "false"
    if isinstance(value, (int, float)):
        return number(value)
    if isinstance(value, str):
        return string(value)
    if isinstance(value, list):
        return "[" + ",".join(canonical(item) for item in value) + "]"
    ordered = sorted(value, key=lambda key: key.encode("utf-16-be"))
    return "{" + ",".join(string(key) + ":" + canonical(value[key]) for key in ordered) + "}"


def sha256(*parts):
    return hashlib.sha256(b"".join(parts)).digest()


def genesis(tenant):
    return sha256(b"audit-genesis/v1\n", tenant.encode())


def event_hash(envelope):
    return sha256(b"audit-event/v1\n", canonical(envelope).encode())


def row_hash(previous, sequence, received, event):
    return sha256(b"audit-row/v1\n", previous, struct.pack(">QQ", sequence, received), event)


def hold(found, expected, what):
    if found != expected:
        sys.exit("%s: found %r, expected %r" % (what, found, expected))


def check_chain(vectors):
    previous = genesis(vectors["tenantId"])
    hold(previous.hex(), vectors["genesis"], "genesis")
    for row in vectors["rows"]:
        what = "row %d" % row["sequence"]
        hold(canonical(row["envelope"]), row["text"], what + " text")
        event = event_hash(row["envelope"])
        hold(event.hex(), row["eventHash"], what + " event hash")
        previous = row_hash(previous, row["sequence"], row["receivedAt"], event)
        hold(previous.hex(), row["rowHash"], what + " row hash")
    receipt = vectors["receipt"]
    signed = b"audit-receipt/v1\n" + canonical(receipt["members"]).encode()
    hold(signed.hex(), receipt["bytesHex"], "receipt")


def check_jcs(vectors):
    for entry in vectors["numbers"]:
        value = struct.unpack(">d", bytes.fromhex(entry["bits"]))[0]
        hold(number(value), entry["text"], "number " + entry["bits"])
    for entry in vectors["documents"]:
        hold(canonical(json.loads(entry["input"])), entry["output"], "document")


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as file:
        check_chain(json.load(file))
    with open(sys.argv[2], encoding="utf-8") as file:
        check_jcs(json.load(file))
    print("every vector holds")
