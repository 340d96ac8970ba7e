import type { SqlPool } from '@steward/sql';
import type { ArchiveTarget, Powers } from '../targets/target.ts';
import type { RecentHeads } from '../hours/recent-heads.ts';
import type { RestoredChain } from './restored/note-restored.ts';
import type { Signers } from './days/store-day.ts';

/** What one run of the sealer works with. */
export interface SealRun {
  readonly pool: SqlPool;
  readonly target: ArchiveTarget;
  readonly powers: Powers;
  readonly signers: Signers;
  /** Where rows of large days wait for the archive. */
  readonly spoolFolder: string;
  /** The last day that may be sealed. */
  readonly through: string;
  /** The incarnation of days that are sealed now; grows when a restored backup is noticed. */
  incarnation: number;
  /** Tenants of the archive that this database does not have any more, as far as they were met. */
  readonly lost: Set<string>;
  /** Few days are read at a time: connections are for those who serve. */
  readonly reading: <T>(work: () => Promise<T>) => Promise<T>;
  /** What hourly checkpoints have seen of the chains. */
  readonly recentHeads: RecentHeads;
  /** Between two pieces of work: lets others go first. @throws the reason of a stop */
  turn(): Promise<void>;
  /** Records that a chain was restored, in the database and in the chain itself; answers its new incarnation. */
  noteRestored(chain: RestoredChain): Promise<number>;
}
