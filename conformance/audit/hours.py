"""What hourly checkpoints have seen of the chains, and what claims of the archive have given up."""

import os
import re

from check import sha256
from signed_note import CLAIM, HOUR, Wrong, demand, in_time, open_note

LARGEST = 64 << 20


class Hours:
    def __init__(self, signed):
        """`signed`: an archive whose keys are known; findings go to it."""
        self.heads, self.cuts, self.last = {}, {}, {}
        self.claimed, self.incarnation, self.highest = 0, 1, 1
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
                    self.last.setdefault(tenant, {})[int(found[3])] = int(sequence)
                self.highest = max(self.highest, int(found[3]))
            except Wrong as wrong:
                signed.find("platform", None, "%s: %s" % (path, wrong))
        claims = self.paths(signed, "claims")
        if [int(path[-14:-5]) for path in claims] != list(range(1, len(claims) + 1)) or (before and not claims):
            signed.find("platform", None, "claims of the archive are missing")
        self.claims(signed, claims)

    def claims(self, signed, paths):
        """Each has its number and names the one before it: none can be exchanged, left out or put there twice."""
        nothing = sha256(b"").hex()
        before = (0, nothing)  # The number, and the hash where it could be read.
        for path in paths:
            try:
                self.claimed = int(path[-14:-5])
                link, before = before, (self.claimed, None)
                raw = signed.bytes(path, LARGEST) or b""
                told, _ = self.text(raw, signed.trusted)
                found = CLAIM.fullmatch(told)
                demand(found, "it is no claim of an archive")
                demand(int(found[1]) == self.claimed, "it is the claim of another number")
                before = (self.claimed, sha256(raw).hex())
                self.incarnation = max(self.incarnation, int(found[2]))
                for line in found[4].split("\n")[:-1]:
                    _, tenant, sequence, _ = line.split(" ")
                    self.cuts.setdefault(tenant, []).append((int(found[2]), int(sequence)))
                previous = found[3] or (nothing if self.claimed == 1 else None)
                known = link[0] == self.claimed - 1 and link[1]
                # Of nothing: whoever took the archive over could not read the claim before.
                demand(not known or previous in (known, nothing), "it names another claim before it")
            except Wrong as wrong:
                signed.find("platform", None, "%s: %s" % (path, wrong))

    def unclaimed(self, tenant, incarnation, sequence):
        """Whether a restored chain goes on before a row that was seen, and no claim gives rows of the tenant up."""
        cuts = [later for later, _ in self.cuts.get(tenant, [])]
        seen = self.last.get(tenant, {}).items()
        return any(
            one < incarnation and row > sequence and not any(later > one for later in cuts) for one, row in seen
        )

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

    def unlike(self, tenant, day, manifest, hashes, later=False):
        """Sequences that were seen up to the end of the day with other rows than the archive's, and whether they were given up.
        `later`: also what was seen of its rows after the day."""
        first, last = manifest["firstSequence"], manifest["lastSequence"]
        rows = {first - 1: manifest["firstPreviousHash"]} if manifest["firstPreviousHash"] else {}
        rows.update((first + at, hashed.hex()) for at, hashed in enumerate(hashes or []))
        heads = self.heads.get(tenant, [])
        self.heads[tenant] = [head for head in heads if head[0] > day]
        for seen, incarnation, sequence, hashed in heads:
            if seen > day and not (later and sequence <= last):
                continue
            if sequence > last or rows.get(sequence, hashed) != hashed:
                given_up = [later for later, cut in self.cuts.get(tenant, []) if later > incarnation and cut < sequence]
                yield sequence, min(given_up, default=None)
