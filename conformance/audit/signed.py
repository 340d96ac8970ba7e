"""What is signed in an archive: keys, checkpoints, manifests, notes of expiry."""

import datetime
import json
import os
import stat

from check import canonical, sha256
from signed_note import Wrong, demand, follow, in_time, key_id, open_note, read_checkpoint, read_key_note


def plain(place):
    """What is sealed is a plain file: a link leads who knows where, and a pipe would never end."""
    try:
        return stat.S_ISREG(os.lstat(place).st_mode)
    except (FileNotFoundError, NotADirectoryError):
        return False


class Signed:
    def __init__(self, folder, keys, accepted=1, fresh=3, today=None):
        self.folder, self.accepted, self.fresh = folder, accepted, fresh
        self.today = today or datetime.datetime.now(datetime.timezone.utc).date()
        self.findings, self.files = [], {}
        self.trusted, self.noted = set(keys), set()
        self.early = set()  # Days that are not over and have files, as far as they were told.
        self.claim = 0  # The last one that a row names.
        self.incarnation = 1  # The highest of a day.
        self.begins = {}  # Which incarnation begins on a day of the platform.

    def find(self, owner, day, what, sequence=None):
        self.findings.append({"owner": owner, "day": day, "sequence": sequence, "what": what})

    def bytes(self, path, most=1 << 20):
        """None where nothing is there; nothing is opened that is no plain file, or larger than it may be."""
        place = os.path.join(self.folder, path)
        if not os.path.lexists(place):
            return None
        demand(plain(place), "%s is no plain file" % path)
        size = os.lstat(place).st_size
        demand(size <= most, "%s is larger than it may be" % path)
        with open(place, "rb") as file:
            return file.read(size)

    def peek(self, stem):
        """The rows of a day, as far as its manifest vouches for their size; what is wrong with them is told elsewhere."""
        try:
            told = json.loads(self.bytes(stem + ".manifest.json") or b"{}")
            return self.bytes(stem + ".jsonl", told.get("bytes", 0) + (16 << 20))
        except (Wrong, ValueError):
            return None

    def keys(self):
        links = []
        folder = os.path.join(self.folder, "platform", "keys")
        for name in sorted(os.listdir(folder)) if os.path.isdir(folder) else []:
            if not name.endswith(".note"):
                continue
            try:
                note = self.bytes("platform/keys/" + name).decode("utf-8", "replace")
                told = read_key_note(note, name)
                followed = [one[0][1] for one in links if len(one[0]) == 2]
                demand(told[0][-1] not in followed or len(told[0]) == 1, "another key follows the same one")
                links.append(told)
            except Wrong as wrong:
                self.find("platform", None, "platform/keys/%s: %s" % (name, wrong))
        self.times = follow(links, self.trusted)
        self.trusted = set(self.times)
        links = [told for told, _, _ in links]
        self.noted = {told[0] for told in links}
        for told in links:
            if told[0] in self.trusted and not self.noted.issuperset(told):
                self.noted.update(told)
                self.find("platform", None, "platform/keys/%s.note is missing" % key_id(told[1]))

    def expired(self, owner, day, manifest):
        """Whether a signed note says that the rows of this day were removed because their time was over."""
        try:
            note = self.bytes("%s/%s.expired" % (owner, day.replace("-", "/")))
            if note is None:
                return False
            text, signers = open_note(note.decode("utf-8", "replace"), self.trusted)
            demand(signers, "no trusted key signed it")
            demand(text == "steward/audit/expired\n%s\n%s\n%s\n" % (owner, day, manifest), "it is of another day")
        except Wrong as wrong:
            self.find(owner, day, "the note of its expiry: %s" % wrong)
            return False
        return True

    def signed(self, owner, day, listed):
        """The manifest and the checkpoint where something signed vouches for them, and the manifest's hash by that."""
        stem = "%s/%s" % (owner, day.replace("-", "/"))
        checkpoint = manifest = None
        try:
            note = self.bytes(stem + ".checkpoint")
            demand(note is not None, "it is missing")
            told, signers = read_checkpoint(note.decode("utf-8", "replace"), self.trusted)
            demand((told["owner"], told["day"]) == (owner, day), "it is that of another tenant or day")
            demand(in_time(signers, self.times, day, True), "its key signs nothing of this day")
            checkpoint = told
            for key in set(signers) - self.noted:
                self.noted.add(key)
                self.find("platform", None, "platform/keys/%s.note is missing" % key_id(key))
        except Wrong as wrong:
            self.find(owner, day, "the checkpoint: %s" % wrong)
        signed = checkpoint["manifest"] if checkpoint else listed
        try:
            demand(not (checkpoint and listed) or signed == listed, "the platform's day lists another one")
            told = self.bytes(stem + ".manifest.json")
            demand(told is not None, "it is missing")
            if signed is not None:
                demand(sha256(told).hex() == signed, "it is not the one that was signed")
                manifest = json.loads(told)
                if told.decode() != canonical(manifest) + "\n":
                    manifest = None
                    raise Wrong("it is not canonical JSON and one line feed")
                if (manifest.get("tenant", "platform"), manifest["day"]) != (owner, day):
                    manifest = None
                    raise Wrong("it is that of another tenant or day")
        except Wrong as wrong:
            self.find(owner, day, "the manifest: %s" % wrong)
        if manifest and checkpoint and (manifest["count"], manifest["root"]) != (checkpoint["count"], checkpoint["root"].hex()):
            self.find(owner, day, "the checkpoint signs another count or root than the manifest")
        return manifest, checkpoint, signed
