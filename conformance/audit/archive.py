"""An archive in a folder: what its days and keys come to."""

import datetime
import os
import re

from check import genesis
from hours import Hours
from rows import as_signed, begun_rows, claim_named, day_rows, platform_rows
from signed import Signed, plain
from signed_note import UUID, Wrong, demand

DAY = datetime.timedelta(days=1)
PARTS = {"jsonl", "manifest.json", "checkpoint"}
BEGUN = (set(), {"jsonl"}, {"jsonl", "manifest.json"})  # Sealing writes them in this order.
ELDEST = "2000-01-01"  # No log is older.
UNVOUCHED = 16 << 20  # So far rows are read beyond the end that was signed.
DAY_FILE = re.compile("(%s|platform)/([0-9]{4})/([0-9][0-9])/([0-9][0-9])\\.(jsonl|manifest\\.json|checkpoint|expired)" % UUID)
def before(day):
    return str(datetime.date.fromisoformat(day) - DAY)


def after(day):
    return str(datetime.date.fromisoformat(day) + DAY)


class Archive(Signed):
    def verify(self):
        for root, folders, names in os.walk(self.folder):
            for name in names + folders:
                found = DAY_FILE.fullmatch(os.path.relpath(os.path.join(root, name), self.folder).replace(os.sep, "/"))
                try:
                    day = found and str(datetime.date(int(found[2]), int(found[3]), int(found[4])))
                except ValueError:
                    continue
                if found and not ELDEST <= day <= str(self.today):
                    self.find(found[1], day, "a file stands under a day that cannot have been sealed")
                elif found and (name in names or not plain(os.path.join(root, name))):
                    self.files.setdefault(found[1], {}).setdefault(day, set()).add(found[5])
        self.keys()
        self.hours = Hours(self)
        platform = self.walk("platform", {})
        listed = {}
        for day, lines in platform.items():
            for tenant in lines or {}:
                listed.setdefault(tenant, {})[day] = lines[tenant]
        self.begun_platform(listed)
        for tenant in sorted((set(self.files) | set(listed)) - {"platform"}):
            first = min(listed.get(tenant) or {"9999": 1})
            for day, lines in sorted(platform.items()):
                own = day in self.files.get(tenant, {})
                if lines is None or tenant in lines or not (own or day > first):
                    first = min(first, day) if tenant in (lines or ()) else first
                elif not own and self.begins.get(day, self.accepted + 1) <= self.accepted:
                    first = "9999"  # A known restored backup did not know the tenant yet.
                else:
                    self.find(tenant, day, "the platform's day does not list the tenant")
            self.walk(tenant, listed.get(tenant, {}))
        if self.claim > self.hours.claimed:
            self.find("platform", None, "the claim of number %d is missing, which a row names" % self.claim)
        elif self.hours.highest > max(self.hours.incarnation, self.incarnation):
            self.find("platform", None, "a claim is missing: neither it nor a day names the incarnation of an hour")
        self.ends(sorted(platform))
        return self.findings

    def pending(self, owner, day):
        """Sealing may be at work on a day that ended less than a day ago, the platform's after those of all tenants. Whatever else is
        there of it was sealed, and something was taken away."""
        there = self.files.get(owner, {}).get(day, set())
        if str(self.today) <= day:
            early = not PARTS.issubset(there)
            if early and (owner, day) not in self.early:
                self.early.add((owner, day))
                self.find(owner, day, "a file stands under a day that is not over")
            return early
        begun = there in BEGUN and (owner == "platform" or not self.files.get("platform", {}).get(day))
        return begun and day == str(self.today - DAY)

    def begun_platform(self, listed):
        """What a platform's day lists that is not signed yet was sealed before."""
        day = str(self.today - DAY)
        if self.files.get("platform", {}).get(day) and self.pending("platform", day):
            try:
                rows = self.bytes("platform/%s.jsonl" % day.replace("-", "/"), 64 << 20)
                for tenant, manifest in platform_rows(rows).items():
                    listed.setdefault(tenant, {})[day] = manifest
            except Wrong as wrong:
                self.find("platform", day, str(wrong))

    def begun(self, tenant, day, near):
        """Rows that nobody signed yet must follow from each other and from the day before all the same, and be those that hours have seen."""
        if str(self.today) <= day or "jsonl" not in self.files[tenant][day]:
            return
        try:
            rows = self.bytes("%s/%s.jsonl" % (tenant, day.replace("-", "/")), 1 << 40)
            told, hashes = begun_rows(tenant, day, rows, near)
            if told:
                self.seen(tenant, day, told, hashes, True)
        except Wrong as wrong:
            self.find(tenant, day, str(wrong), wrong.sequence)

    def walk(self, owner, listed):
        """Judges every day of an owner; answers with the platform's lines by day."""
        previous, days = None, {}
        for day in sorted(set(self.files.get(owner, {})) | set(listed)):
            if day not in listed and self.pending(owner, day):
                if owner != "platform":
                    self.begun(owner, day, previous[1] if previous and previous[0] == before(day) else None)
                continue
            if day not in self.files.get(owner, {}):
                self.find(owner, day, "the day is missing")
                previous = (day, None, listed[day])
                continue
            manifest, checkpoint, signed = self.signed(owner, day, listed.get(day))
            self.follows(owner, day, manifest, previous)
            self.incarnation = max(self.incarnation, manifest["incarnation"] if manifest else 1)
            try:
                most = manifest["bytes"] if manifest else (checkpoint or {"count": 0})["count"] * UNVOUCHED
                rows = self.bytes("%s/%s.jsonl" % (owner, day.replace("-", "/")), most + UNVOUCHED)
                expired = manifest and owner != "platform" and self.expired(owner, day, signed)
                if rows is None and expired:
                    self.seen(owner, day, manifest, None)
                    previous = (day, manifest, signed)
                    continue
                demand(rows is not None, "the file of the rows is missing")
                near = previous[1] if previous and previous[0] == before(day) else None
                days[day] = platform_rows(rows) if owner == "platform" else day_rows(owner, day, rows, manifest, near)
                demand(as_signed(rows, days[day], manifest, checkpoint), "the rows are not those that were signed")
                if checkpoint is None and manifest is None:
                    days[day] = None
                elif manifest and owner != "platform":
                    self.seen(owner, day, manifest, days[day])
                    self.claim = max(self.claim, claim_named(rows))
            except ValueError as wrong:
                sequence = getattr(wrong, "sequence", None) or (manifest or {}).get("firstSequence")
                self.find(owner, day, str(wrong), sequence)
                days[day] = None
            previous = (day, manifest, signed)
        return days

    def seen(self, tenant, day, manifest, hashes, later=False):
        for sequence, given_up in self.hours.unlike(tenant, day, manifest, hashes, later):
            if given_up is None:
                self.find(tenant, day, "the rows are not those that an hourly checkpoint has seen", sequence)
            elif given_up > self.accepted:
                self.find(tenant, day, "an hourly checkpoint has seen rows that were lost", sequence)

    def follows(self, owner, day, manifest, previous):
        if previous is None:
            if manifest and "previous" in manifest:
                self.find(owner, manifest["previous"]["day"], "the day is missing, and all before it")
            elif manifest and owner != "platform":
                if (manifest["firstSequence"], manifest["firstPreviousHash"]) != (1, genesis(owner).hex()):
                    self.find(owner, day, "the first day does not begin at the genesis", manifest["firstSequence"])
            return
        last_day, last, signed = previous
        missing = after(last_day)
        while missing < day:
            self.find(owner, missing, "the day is missing")
            missing = after(missing)
        near = last_day == before(day)
        if manifest is None:
            return
        link = manifest.get("previous", {})
        if near and (link.get("day") != last_day or signed not in (None, link.get("manifestSha256"))):
            self.find(owner, day, "the manifest names another day before it")
        if last is None:
            return
        if manifest["incarnation"] < last["incarnation"]:
            self.find(owner, day, "the number of the incarnation goes back")
        elif manifest["incarnation"] > last["incarnation"]:
            self.restored(owner, day, manifest, last)
        elif owner != "platform":
            first = manifest["firstSequence"]
            follows = (first, manifest["firstPreviousHash"]) == (last["lastSequence"] + 1, last["lastRowHash"])
            if not follows and (near or first <= last["lastSequence"]):
                self.find(owner, day, "the rows do not follow from those of the day before", first)

    def restored(self, owner, day, manifest, last):
        if owner == "platform":
            self.begins[day] = manifest["incarnation"]
        first = manifest.get("firstSequence")
        if owner != "platform" and self.hours.unclaimed(owner, manifest["incarnation"], first - 1):
            self.find("platform", None, "a claim is missing: nothing gives up rows of %s that an hour has seen" % owner)
        if owner != "platform" and first > last["lastSequence"] + 1:
            return self.find(owner, day, "rows before the day are missing", last["lastSequence"] + 1)
        if owner != "platform" and not self.holds(owner, day, first - 1, manifest["firstPreviousHash"]):
            return self.find(owner, day, "the restored chain goes on from no row of the archive", first)
        lost = owner == "platform" or first <= last["lastSequence"]
        if lost and manifest["incarnation"] > self.accepted:
            self.find(owner, day, "a backup was restored, rows were lost", first)

    def holds(self, owner, day, sequence, hashed):
        if sequence == 0:
            return hashed == genesis(owner).hex()
        told = ('"rowHash":"%s","sequence":%d}\n' % (hashed, sequence)).encode()
        earlier = [one for one in self.files.get(owner, {}) if one < day]
        return any(told in (self.peek("%s/%s" % (owner, one.replace("-", "/"))) or b"") for one in earlier)

    def ends(self, platform):
        owners = set(self.files) - {"platform"}
        sealed = [day for owner in owners for day in self.files[owner] if not self.pending(owner, day)]
        newest = max(platform or sealed, default=None)
        if newest is None:
            return self.find("", None, "no sealed day is there at all")
        if not platform:
            self.find("platform", None, "no day of the platform is there")
        missing = after(newest)
        while platform and missing <= min(max(sealed, default=""), str(self.today - 2 * DAY)):
            self.find("platform", missing, "the day is missing")
            missing = after(missing)
        if self.today - datetime.date.fromisoformat(newest) > self.fresh * DAY:
            self.find("platform", newest, "nothing was sealed since")
