import { operation } from '@steward/access';
import { timestamp } from '@steward/kernel';
import { sql } from '@steward/sql';
import { z } from 'zod';
import { genesis } from '../chain/genesis.ts';
import { reads } from '../operations.ts';

const hash = z.string().regex(/^[0-9a-f]{64}$/);

export const chainHead = z.object({ sequence: z.int(), rowHash: hash, receivedAt: z.iso.datetime() });

const chain = z.object({
  tenantId: z.uuid(),
  /** `row_hash(0)`, lower-case hex. */
  genesis: hash,
  /** Null while the chain is empty. */
  head: chainHead.nullable(),
  /** The last UTC day that is in the archive. */
  sealedThrough: z.iso.date().nullable(),
});

/** The last row of the tenant's chain. @throws Problem `tenant_forbidden` (403) */
export const readChain = operation({ ...reads, input: z.strictObject({}), answer: chain }, async (scope) => {
  const { tenant } = scope.context;
  const [row] = await scope.read<{
    sequence: bigint;
    row_hash: Buffer;
    received_ms: bigint | null;
    sealed_through: string | null;
  }>(sql`
    select sequence, row_hash,
      (select max(day)::text from audit.sealed_day where tenant_id = ${tenant}) as sealed_through,
      case when sequence > 0 then (extract(epoch from received_at) * 1000)::bigint end as received_ms
    from audit.head where tenant_id = ${tenant}`);
  const there = row !== undefined && row.sequence > 0n;
  return {
    tenantId: tenant,
    genesis: genesis(tenant).toString('hex'),
    head: there
      ? {
          sequence: Number(row.sequence),
          rowHash: row.row_hash.toString('hex'),
          receivedAt: timestamp(Number(row.received_ms)),
        }
      : null,
    sealedThrough: row?.sealed_through ?? null,
  };
});
