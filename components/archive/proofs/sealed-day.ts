import type { Log } from '@steward/kernel';
import { type Row, sql, type Statement } from '@steward/sql';
import type { DayManifest } from '../format/manifest.ts';
import { openNote } from '../format/note.ts';
import { readCheckpoint, type Checkpoint } from '../format/checkpoint.ts';
import type { ArchiveTarget } from '../targets/target.ts';
import { readArchivedDay } from '../sealing/days/archived-day.ts';
import { withEarlier } from '../sealing/keys.ts';
import type { Keyring } from '../signing/keyring.ts';

/** A sealed day, as far as an event's proof needs it. */
export interface SealedDay {
  readonly first_sequence: bigint;
  readonly last_sequence: bigint;
  /** The signed note. */
  readonly checkpoint: string;
}

export interface SealedDayPorts {
  readonly log: Log;
  readonly keys: Pick<Keyring, 'registered'>;
  /** Undefined where none is configured. */
  readonly archive: (() => Promise<ArchiveTarget>) | undefined;
}

/** What the database remembers of an event's day, and how far it says that days are sealed. */
export interface Remembered extends Row {
  readonly through: string | null;
  readonly first_sequence: bigint | null;
  readonly last_sequence: bigint | null;
  readonly checkpoint: string | null;
}

export const remembered = (tenant: string, id: string | null): Statement => sql`
  select h.sealed_through::text as through, d.first_sequence, d.last_sequence, d.checkpoint
  from audit.head h left join audit.sealed_day d on d.tenant_id = h.tenant_id and d.day = (
    select (e.received_at at time zone 'UTC')::date from audit.event e where e.tenant_id = ${tenant} and e.id = ${id})
  where h.tenant_id = ${tenant}`;

/**
 * The sealed day of an event. A record that the database has lost is not believed to say that the day is not sealed: the
 * archive is asked, and what it holds signed counts.
 * @returns undefined where the day is not sealed; `lost` where it was, by the mark of the head, and nothing signed is there
 */
export async function findSealedDay(
  { log, keys, archive }: SealedDayPorts,
  tenant: string,
  day: string,
  record: Remembered | undefined,
): Promise<SealedDay | 'lost' | undefined> {
  const { first_sequence, last_sequence, checkpoint, through } = record ?? {};
  if (first_sequence != null && last_sequence != null && checkpoint != null)
    return { first_sequence, last_sequence, checkpoint };
  const archived = archive === undefined ? undefined : await readSigned(archive, keys, tenant, day);
  if (archived !== undefined) {
    const { manifest } = archived;
    log.warn({ tenant, day }, 'the archive holds a sealed day that the database does not remember');
    return {
      first_sequence: BigInt(manifest.firstSequence),
      last_sequence: BigInt(manifest.lastSequence),
      checkpoint: archived.checkpoint,
    };
  }
  // Of the day of the mark itself sealing may be at work.
  return through != null && through > day ? 'lost' : undefined;
}

async function readSigned(
  archive: () => Promise<ArchiveTarget>,
  keys: Pick<Keyring, 'registered'>,
  tenant: string,
  day: string,
): ReturnType<typeof readArchivedDay<DayManifest>> {
  try {
    const target = await archive();
    const known = await withEarlier(target, await keys.registered());
    return await readArchivedDay<DayManifest>(target, 'steward-audit-day/1', tenant, day, known);
  } catch {
    // Out of reach, or something else in its place: sealing and verification say so.
    return undefined;
  }
}

/** What a note signs, where one of our keys signed it; undefined where it is none. */
export async function readSignedCheckpoint(
  { keys, archive }: SealedDayPorts,
  note: string,
): Promise<Checkpoint | undefined> {
  const registered = await keys.registered();
  const read = (known: readonly string[]): Checkpoint | undefined => {
    try {
      return readCheckpoint(openNote(note, known).text);
    } catch {
      return undefined;
    }
  };
  const told = read(registered.map(({ verifierKey }) => verifierKey));
  if (told !== undefined || archive === undefined) return told;
  // A restored database took over days that an earlier key signed.
  return read(
    await archive()
      .then(async (target) => withEarlier(target, registered))
      .catch(() => []),
  );
}
