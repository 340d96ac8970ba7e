"""What hourly checkpoints have seen of the chains, and what claims of the archive have given up."""

import os
import re

from check import sha256
from signed_note import CLAIM, HOUR, Wrong, demand, in_time, open_note

LARGEST = 64 << 20


class Hours:
    def __init__(self, signed):
        """`signed`: an archive whose keys are known; findings go to it."""
        self.heads, self.cuts = {}, {}
        before = None
        for path in self.paths(signed, "hours"):
            try:
                number = int(path[-14:-5])
                raw = signed.bytes(path, LARGEST) or b""
                link, before = before, (number, sha256(raw).hex())
                if link and link[0] != number - 1:
                    signed.find("platform", None, "hourly checkpoints before %d are missing" % number)
                told, signers = self.text(raw, signed.trusted)
                found = HOUR.fullmatch(told)
                demand(found and int(found[1]) == number, "it is no checkpoint of that hour")
                demand(not link or link[0] != number - 1 or found[4] == link[1], "it names another one before it")
                demand(in_time(signers, signed.times, found[2], False), "its key signs nothing of this day")
                lines = [line.split(" ") for line in found[5].split("\n")[:-1]]
                demand([line[0] for line in lines] == sorted({line[0] for line in lines}), "lines are out of order")
                for tenant, sequence, hashed in lines:
                    self.heads.setdefault(tenant, []).append((found[2], int(found[3]), int(sequence), hashed))
            except Wrong as wrong:
                signed.find("platform", None, "%s: %s" % (path, wrong))
        claims = self.paths(signed, "claims")
        if [int(path[-14:-5]) for path in claims] != list(range(1, len(claims) + 1)) or (before and not claims):
            signed.find("platform", None, "claims of the archive are missing")
        for path in claims:
            try:
                told, _ = self.text(signed.bytes(path, LARGEST) or b"", signed.trusted)
                found = CLAIM.fullmatch(told)
                demand(found, "it is no claim of an archive")
                for tenant, sequence in re.findall("^lost ([0-9a-f-]{36}) ([0-9]{1,16}) [0-9a-f]{64}$", told, re.MULTILINE):
                    self.cuts.setdefault(tenant, []).append((int(found[1]), int(sequence)))
            except Wrong as wrong:
                signed.find("platform", None, "%s: %s" % (path, wrong))

    @staticmethod
    def paths(signed, kind):
        folder = os.path.join(signed.folder, "platform", kind)
        names = sorted(os.listdir(folder)) if os.path.isdir(folder) else []
        return ["platform/%s/%s" % (kind, name) for name in names if re.fullmatch("[0-9]{9}[.]note", name)]

    @staticmethod
    def text(raw, known):
        text, signers = open_note(raw.decode("utf-8", "replace"), known)
        demand(signers, "no trusted key signed it")
        return text, signers

    def unlike(self, tenant, day, manifest, hashes):
        """Sequences that were seen up to the end of the day with other rows than the archive's, and whether they were given up."""
        first, last = manifest["firstSequence"], manifest["lastSequence"]
        rows = {first - 1: manifest["firstPreviousHash"]}
        rows.update((first + at, hashed.hex()) for at, hashed in enumerate(hashes or []))
        heads = self.heads.get(tenant, [])
        self.heads[tenant] = [head for head in heads if head[0] > day]
        for _, incarnation, sequence, hashed in (head for head in heads if head[0] <= day):
            if sequence > last or rows.get(sequence, hashed) != hashed:
                given_up = [later for later, cut in self.cuts.get(tenant, []) if later > incarnation and cut < sequence]
                yield sequence, min(given_up, default=None)
