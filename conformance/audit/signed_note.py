"""Signed notes in the form of C2SP, the keys that sign them, and what the archive says in them."""

import base64
import re

import ed25519
from check import sha256

HASH = "([0-9a-f]{64})"
UUID = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
CHECKPOINT = re.compile(
    "steward/audit/(%s|platform)/([0-9]{4}-[0-9][0-9]-[0-9][0-9])\n(0|[1-9][0-9]*)\n([A-Za-z0-9+/]{43}=)\nmanifest %s\n" % (UUID, HASH)
)
HOUR = re.compile(
    "steward/audit/hour\n([1-9][0-9]{0,8})\n([0-9]{4}-[0-9][0-9]-[0-9][0-9])T[0-9:.]{12}Z\nincarnation ([1-9][0-9]{0,8})\n"
    "(?:previous %s\n)?((?:%s [1-9][0-9]{0,15} [0-9a-f]{64}\n)*)" % (HASH, UUID)
)
CLAIM = re.compile(
    "steward/audit/claim\n([1-9][0-9]{0,8})\ninstallation [0-9a-f-]{36}\ndatabase [A-Za-z0-9_-]{1,100}\nincarnation ([1-9][0-9]{0,8})\n"
    "(?:previous %s\ntaken [0-9T:.-]{23}Z\nhours (?:0|[1-9][0-9]{0,8})\nreason [^\n]{1,500}\n)?((?:lost %s [0-9]{1,16} [0-9a-f]{64}\n)*)"
    % (HASH, UUID)
)
DATE = "([0-9]{4}-[0-9][0-9]-[0-9][0-9])"
KEY_NOTE = re.compile(
    "steward/audit/key\n([^\n]+)\n(?:from %s\n)?(?:previous ([^\n]+)\n(?:through %s\n)?)?" % (DATE, DATE)
)


class Wrong(ValueError):
    """`sequence`: of the first bad row, where it is one."""

    def __init__(self, what, sequence=None):
        super().__init__(what)
        self.sequence = sequence


def demand(holds, otherwise):
    if not holds:
        raise Wrong(otherwise)


def decode(text):
    """Base64 in its one canonical form: bits that decode to nothing must be zero."""
    try:
        raw = base64.b64decode(text, validate=True)
    except ValueError:
        raise Wrong("malformed base64")
    demand(base64.b64encode(raw).decode() == text, "base64 in another form")
    return raw


def read_key(line):
    """(name, key hash, public key) of `{name}+{key hash}+{base64}`."""
    name, hashed, encoded = (line.split("+", 2) + ["", ""])[:3]
    raw = decode(encoded)
    demand(len(raw) == 33 and raw[0] == 1, "%r is no key" % line)
    demand(sha256(name.encode(), b"\n", raw)[:4].hex() == hashed, "%r is no key" % line)
    return name, hashed, raw[1:]


def key_id(line):
    return sha256(read_key(line)[2]).hex()[:16]


def open_note(note, known):
    """The text, and which of the known keys signed it."""
    text, separator, signatures = note.rpartition("\n\n")
    demand(separator and signatures.endswith("\n"), "no signed note")
    text += "\n"
    signers = []
    for line in signatures[:-1].split("\n"):
        found = re.fullmatch("— ([^ +]+) ([A-Za-z0-9+/]+={0,2})", line)
        demand(found, "a malformed signature line")
        raw = decode(found[2])
        for key in known:
            name, hashed, public = read_key(key)
            if name == found[1] and hashed == raw[:4].hex():
                demand(ed25519.verify(public, text.encode(), raw[4:]), "a false signature")
                signers.append(key)
    return text, signers


def read_checkpoint(note, known):
    text, signers = open_note(note, known)
    demand(signers, "no trusted key signed it")
    found = CHECKPOINT.fullmatch(text)
    demand(found, "no checkpoint of a day")
    told = {"owner": found[1], "day": found[2], "count": int(found[3]), "root": decode(found[4]), "manifest": found[5]}
    return told, signers


def read_key_note(note, name=None):
    """The key, and the one before it where there is one; from when, and until when that one, signs. Says nothing about trust."""
    found = KEY_NOTE.fullmatch(note.rpartition("\n\n")[0] + "\n")
    demand(found, "no note of a key")
    told = [key for key in (found[1], found[3]) if key]
    demand(sorted(open_note(note, told)[1]) == sorted(told), "it is not signed by both its keys")
    demand(name in (None, key_id(told[0]) + ".note"), "it stands under the name of another key")
    return told, found[2], found[4]


def follow(notes, given):
    """All keys that notes lead to from those that are trusted, each with its first day and the day on which it was retired."""
    trusted = {key: ["", "9"] for key in given}
    for _ in notes:
        for told, _, _ in notes:
            if any(key in trusted for key in told):
                for key in told:
                    trusted.setdefault(key, ["", "9"])
    for told, first, retired in notes:
        if len(told) == 2 and told[0] in trusted:
            trusted[told[0]][0] = first or ""
            trusted[told[1]][1] = min(trusted[told[1]][1], retired or "9")
    return trusted


def in_time(signers, times, day, over):
    """Whether all who signed what was made on a day, or `over` it, did so in their time."""
    return all(times[key][0] <= day and (day < times[key][1] if over else day <= times[key][1]) for key in signers)
