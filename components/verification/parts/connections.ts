import type pg from 'pg';
import type { ArchiveConfig } from '@steward/archive';
import type { CompareOptions } from '../days/compare-days.ts';
import { type Access, openReader } from './reader.ts';

/** What sealed days are compared with. Plain data, for threads. */
export interface Against extends Omit<CompareOptions, 'archive'> {
  readonly settings: ArchiveConfig;
}

/** What a part is read with. */
export interface Connections extends AsyncDisposable {
  /** Both in transactions of one snapshot. */
  readonly events: pg.Client;
  readonly keys: pg.Client;
  readonly against: CompareOptions | undefined;
}

/** @throws Unreachable where the archive cannot be read */
export async function openConnections(access: Access, against: Against | undefined): Promise<Connections> {
  await using stack = new AsyncDisposableStack();
  // Loaded when it is needed, as all that the archive brings: threads start sooner.
  const archive =
    against === undefined
      ? undefined
      : stack.use(await (await import('../archive/archive.ts')).openArchive(against.settings));
  const events = stack.adopt(await openReader(access), async (client) => client.end());
  const keys = stack.adopt(await openReader(access), async (client) => client.end());
  const kept = stack.move();
  return {
    events,
    keys,
    against: archive === undefined || against === undefined ? undefined : { ...against, archive },
    [Symbol.asyncDispose]: async () => kept.disposeAsync(),
  };
}
