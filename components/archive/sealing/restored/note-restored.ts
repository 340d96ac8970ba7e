import { permit } from '@steward/access';
import { newId, type RecordedEvent } from '@steward/kernel';
import { createTenancy, sql, type SqlPool, type Statement, type TenantTransaction } from '@steward/sql';
import { event } from '@steward/audit';

/** A chain whose archived rows go further than its own: its database was restored from a backup. */
export interface RestoredChain {
  readonly tenant: string;
  /** The first archived day that goes further than the chain. */
  readonly day: string;
  /** The end of the chain, from which it continues. */
  readonly sequence: number;
  readonly rowHash: Buffer;
  readonly archivedSequence: number;
  /** The highest incarnation in the archived days. */
  readonly archivedIncarnation: number;
  /** Archived days that are taken over. */
  readonly from: string;
  readonly to: string;
}

const sealChains = permit('audit.seal', ['platform']);
const sealer = { type: 'system', id: 'audit' } as const;

/**
 * Records a restored chain and, in the same transaction, `audit.chain.restored` in the chain itself; once, however many
 * sealers notice it. A tenant that was lost whole has no chain to record in.
 */
export function noteRestored(
  pool: SqlPool,
  append: (tx: TenantTransaction, events: readonly RecordedEvent[]) => Promise<void>,
): (chain: RestoredChain) => Promise<number> {
  const never = (): never => {
    throw new Error('the sealer acts for the platform and publishes nothing');
  };
  const tenancy = createTenancy({ pool, openTenant: never, append, publish: async () => never() });
  return async (chain) => {
    if (chain.sequence === 0) return outcome(await pool.query<Noted>(statement(chain))).incarnation;
    const context = tenancy.systemContext({
      tenant: chain.tenant,
      chain: [sealer],
      subject: sealer,
      caller: sealer,
      requestId: newId(),
      correlationId: newId(),
    });
    return context.require(sealChains).write(async (tx) => {
      const { incarnation, noted } = outcome(await tx.query<Noted>(statement(chain)));
      if (noted) tx.record(restored(chain, incarnation));
      return incarnation;
    });
  };
}

interface Noted extends Record<string, unknown> {
  readonly incarnation: number;
  readonly noted: boolean;
}

const statement = (chain: RestoredChain): Statement =>
  sql`select incarnation, noted from audit.record_restored(${chain.tenant}::uuid, ${chain.day}::date, ${chain.sequence},
    ${chain.rowHash}, ${chain.archivedSequence}, ${chain.archivedIncarnation})`;

function outcome(rows: readonly Noted[]): Noted {
  const [row] = rows;
  if (row === undefined) throw new Error('audit.record_restored did not answer');
  return row;
}

const restored = (chain: RestoredChain, incarnation: number): RecordedEvent =>
  event('audit.chain.restored', {
    incarnation,
    restored_sequence: chain.sequence,
    restored_row_hash: chain.rowHash.toString('hex'),
    archived_sequence: chain.archivedSequence,
    archived_from: chain.from,
    archived_through: chain.to,
  });
