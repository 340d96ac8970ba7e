"""The files of rows: of a tenant's day, of a platform's day, and of an export."""

import datetime
import json
import re

from check import genesis, row_hash, sha256
from merkle import tree_root
from signed_note import HASH, UUID, Wrong, demand

TAIL = ',"receivedAt":"([^"]{24})","rowHash":"%s","sequence":([1-9][0-9]{0,15})}' % HASH
ROW = re.compile(('{"event":({.*})%s\n' % TAIL).encode(), re.DOTALL)
EXPORTED = re.compile(('{"event":({.*}),"prevHash":"%s"%s\n' % (HASH, TAIL)).encode(), re.DOTALL)


def milliseconds(text):
    demand(re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", text), "no time")
    try:
        moment = datetime.datetime.strptime(text, "%Y-%m-%dT%H:%M:%S.%fZ")
    except ValueError:
        raise Wrong("no time")
    demand(moment.year >= 1970, "a time before 1970, which no row has")
    return (moment - datetime.datetime(1970, 1, 1)) // datetime.timedelta(milliseconds=1)


def hash_event(event):
    return sha256(b"audit-event/v1\n", event)


def platform_rows(rows):
    """The manifest of each tenant."""
    demand(rows == b"" or rows.endswith(b"\n"), "the last line does not end with a line feed")
    told = {}
    for line in rows.split(b"\n")[:-1]:
        found = re.fullmatch(('{"manifest":"%s","tenant":"(%s)"}' % (HASH, UUID)).encode(), line)
        demand(found, "a line is not in its form")
        tenant = found[2].decode()
        demand(tenant > max(told, default=""), "the tenants are not in order")
        told[tenant] = found[1].decode()
    return told


def day_rows(tenant, day, rows, manifest, near):
    """The row hashes. The first bad row ends the day."""
    hashes, last, told_at = [], None, -1
    expected = None
    if manifest:
        expected, last = manifest["firstSequence"], bytes.fromhex(manifest["firstPreviousHash"])
    elif near:
        expected, last = near["lastSequence"] + 1, bytes.fromhex(near["lastRowHash"])
    for line in re.findall(rb"[^\n]*\n|[^\n]+", rows):
        found = ROW.fullmatch(line)
        if not found:
            raise Wrong("a line is not in the form of a row", expected)
        sequence, at = int(found[4]), milliseconds(found[2].decode("latin-1"))
        if expected not in (None, sequence):
            raise Wrong("a row is missing, twice there, or in another place", min(expected, sequence))
        stored = bytes.fromhex(found[3].decode())
        if last is not None and row_hash(last, sequence, at, hash_event(found[1])) != stored:
            raise Wrong("a row does not follow from the one before", sequence)
        if not found[2].decode("latin-1").startswith(day) or at < told_at:
            raise Wrong("a row was received on another day, or before the one before it", sequence)
        if json.loads(found[1])["tenantId"] != tenant:
            raise Wrong("an event names another tenant", sequence)
        hashes.append(stored)
        expected, last, told_at = sequence + 1, stored, at
    if manifest and len(hashes) < manifest["count"]:
        raise Wrong("rows are missing at the end", expected)
    return hashes


def begun_rows(tenant, day, rows, near):
    """The first and last sequence of rows that nobody signed yet, where they can be told, and the row hashes."""
    found = ROW.fullmatch(rows[: rows.find(b"\n") + 1])
    first = int(found[4]) if found else None
    try:
        hashes = day_rows(tenant, day, rows, None, near)
    except Wrong:
        # The chain may go on from an earlier row, after a backup was restored: its manifest says so once it is signed.
        if not near or not first or first > near["lastSequence"]:
            raise
        try:
            hashes, near = day_rows(tenant, day, rows, None, None), None
        except Wrong:
            hashes = None
        if hashes is None:
            raise
    if not hashes and not near:
        return None, hashes
    first = first or near["lastSequence"] + 1
    before = near["lastRowHash"] if near else None
    return {"firstSequence": first, "lastSequence": first + len(hashes) - 1, "firstPreviousHash": before}, hashes


CLAIMED = b'","type":"audit.archive.claimed"},"receivedAt":"'


def claim_named(rows):
    """The number of the last claim of the archive that a row names, 0 for none."""
    numbers = [0]
    for line in rows.split(b"\n") if CLAIMED in rows else ():
        if CLAIMED in line:
            event = json.loads(line)["event"]
            number = event["payload"].get("number") if event["type"] == "audit.archive.claimed" else None
            numbers.append(number if isinstance(number, int) else 0)
    return max(numbers)


def as_signed(rows, told, manifest, checkpoint):
    """Whether a file of rows, and what was read of it, is what manifest and checkpoint say as far as they are there."""
    leaves = rows.split(b"\n")[:-1] if isinstance(told, dict) else told
    root = tree_root(leaves)
    if checkpoint and (checkpoint["count"], checkpoint["root"]) != (len(leaves), root):
        return False
    if not manifest:
        return True
    found = [len(leaves), root.hex(), len(rows), sha256(rows).hex()]
    return found == [manifest[name] for name in ("count", "root", "bytes", "sha256")]


def export_rows(file):
    """Tenant and number of the rows of an export; lines are split at LF only."""
    tenant, last, count = None, None, 0
    for line in file:
        found = EXPORTED.fullmatch(line)
        if not found:
            raise Wrong("a line is not in the form of a row", last and last[0] + 1)
        sequence, previous, stored = int(found[5]), found[2].decode(), found[4].decode()
        at = milliseconds(found[3].decode("latin-1"))
        if row_hash(bytes.fromhex(previous), sequence, at, hash_event(found[1])).hex() != stored:
            raise Wrong("a row is not what its hashes say", sequence)
        named = json.loads(found[1])["tenantId"]
        tenant = tenant or named
        if named != tenant:
            raise Wrong("an event names another tenant", sequence)
        if sequence == 1 and previous != genesis(tenant).hex():
            raise Wrong("the first row does not follow from the genesis", sequence)
        if last and sequence <= last[0]:
            raise Wrong("a row stands behind a later one", sequence)
        if last and sequence == last[0] + 1 and previous != last[1]:
            raise Wrong("a row names another hash before it than that of the row before it", sequence)
        last, count = (sequence, stored), count + 1
    return tenant, count
