"""A second verifier of what the audit log leaves outside its database: Python 3.9, standard library only, written from
docs/guides/audit-archive.md.

python3 verify_archive.py --key 'steward/audit+…' --archive DIR [DIR …]     exits 0 when all hold, else names what does not
python3 verify_archive.py --key 'steward/audit+…' --proof FILE [FILE …]
python3 verify_archive.py --export FILE [FILE …]
"""

import argparse
import base64
import datetime
import json
import sys

from archive import Archive
from check import row_hash
from ed25519 import verify
from merkle import root_along
from rows import export_rows, hash_event, milliseconds
from signed_note import Wrong, demand, follow, in_time, key_id, read_checkpoint, read_key, read_key_note


def once(members):
    """Other readers take the first of two members of the same name, and would show what was not verified."""
    demand(len(dict(members)) == len(members), "a member is there twice")
    return dict(members)


def prove(text, keys):
    told = json.loads(text, object_pairs_hook=once)
    receipt = told["format"] == "steward-audit-receipt/1"
    demand(receipt or told["format"] == "steward-audit-proof/1", "its format is not known")
    own = {"format", "tenant", "event", "sequence", "receivedAt", "previousHash", "rowHash", "keys"}
    own |= {"receipt"} if receipt else {"day", "leafIndex", "treeSize", "path", "checkpoint"}
    demand(set(told) <= own, "it has a member that none of its format has")
    event, previous, stored = told["event"].encode(), bytes.fromhex(told["previousHash"]), bytes.fromhex(told["rowHash"])
    at = milliseconds(told["receivedAt"])
    day = told["receivedAt"][:10] if receipt else told["day"]
    demand(told["receivedAt"].startswith(day + "T"), "the event was received on another day")
    demand(json.loads(event)["tenantId"] == told["tenant"], "the event names another tenant")
    demand(row_hash(previous, told["sequence"], at, hash_event(event)) == stored, "the row hash is another one")
    notes = [read_key_note(note) for note in told.get("keys", [])]
    before = [one[0][1] for one in notes if len(one[0]) == 2]
    demand(len(before) == len(set(before)), "two keys say that they follow the same one")
    times = follow(notes, keys)
    says = "%s %s, sequence %d: %s" % (told["tenant"], day, told["sequence"], told["event"])
    if receipt:
        signed(told, times)
        return says
    checkpoint, signers = read_checkpoint(told["checkpoint"], set(times))
    demand(in_time(signers, times, told["day"], True), "its key signs nothing of this day")
    place = (told["tenant"], told["day"], told["treeSize"])
    demand((checkpoint["owner"], checkpoint["day"], checkpoint["count"]) == place, "the checkpoint is that of another day")
    demand(0 <= told["leafIndex"] < told["treeSize"], "the day has no such row")
    root = root_along(stored, told["leafIndex"], told["treeSize"], [bytes.fromhex(step) for step in told["path"]])
    demand(root == checkpoint["root"], "the path does not lead to the root that was signed")
    return says


def signed(told, times):
    """The place of the event in the chain was signed before its day was sealed."""
    given = told["receipt"]
    demand(given["format"] == "audit-receipt/v1", "the format of its signature is not known")
    demand(set(given) == {"format", "keyId", "signature"}, "its signature has a member that none has")
    key = next((key for key in times if key_id(key) == given["keyId"]), None)
    demand(key is not None, "no trusted key leads to the one that signed")
    demand(in_time({key}, times, told["receivedAt"][:10], False), "its key signs nothing of this day")
    place = {"id": json.loads(told["event"])["id"], "receivedAt": told["receivedAt"], "rowHash": told["rowHash"]}
    place.update(sequence=told["sequence"], tenantId=told["tenant"])
    text = "audit-receipt/v1\n" + json.dumps(place, separators=(",", ":"), ensure_ascii=False)
    signature = base64.urlsafe_b64decode(given["signature"] + "==")
    demand(base64.urlsafe_b64encode(signature).rstrip(b"=").decode() == given["signature"], "its signature is malformed")
    demand(verify(read_key(key)[2], text.encode(), signature), "the signature is false")


def answer(name, judge):
    """Findings, and a line about them, of something that is right or wrong as a whole."""
    try:
        return [], "%s holds: %s" % (name, judge())
    except (ValueError, KeyError, TypeError) as wrong:
        return [{"owner": "", "day": None, "sequence": getattr(wrong, "sequence", None), "what": str(wrong)}], ""


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--key", action="append", default=[])
    options.add_argument("--archive", nargs="+", default=[])
    options.add_argument("--proof", nargs="+", default=[])
    options.add_argument("--export", nargs="+", default=[])
    options.add_argument("--accept-incarnation", type=int, default=1)
    options.add_argument("--fresh-within", type=int, default=3)
    options.add_argument("--today", type=datetime.date.fromisoformat)
    options.add_argument("--json", action="store_true")
    told = options.parse_args()
    if not (told.archive or told.proof or told.export) or not (told.key or told.export):
        options.error("name what to verify, and the public key")
    try:
        for key in told.key:
            read_key(key)
    except Wrong as wrong:
        options.error(str(wrong))
    bad = False
    for name in told.archive or told.proof or told.export:
        if told.archive:
            archive = Archive(name, told.key, told.accept_incarnation, told.fresh_within, told.today)
            findings, line = archive.verify(), "%s holds" % name
        elif told.proof:
            with open(name, encoding="utf-8") as file:
                findings, line = answer(name, lambda: prove(file.read(), told.key))
        else:
            with open(name, "rb") as file:
                findings, line = answer(name, lambda: "%s, %d rows" % export_rows(file))
        bad = bad or bool(findings)
        if told.json:
            print(json.dumps(findings, ensure_ascii=False))
        else:
            places = [" ".join(str(one[part]) for part in ("owner", "day", "sequence") if one[part]) for one in findings]
            lines = (": ".join(filter(None, (place, one["what"]))) for place, one in zip(places, findings))
            print("\n".join(lines) or line)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
