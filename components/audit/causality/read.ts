import type { Fixed } from '@steward/contract';
import { timestamp } from '@steward/kernel';
import { type Row, sql, type TenantContext } from '@steward/sql';
import { z } from 'zod';
import { principalOf } from '../appending/entry.ts';
import { readEvents } from '../policy.ts';
import { arrange, branch } from './tree.ts';

export const causality = z.object({
  correlationId: z.string(),
  events: z.array(branch),
  /** There are more events than these, which came first. */
  truncated: z.boolean(),
});
export type Causality = Fixed<z.output<typeof causality>>;

export const mostCausal = 1_000;

interface CausalRow extends Row {
  readonly id: string;
  readonly type: string;
  readonly sequence: bigint;
  readonly occurred_ms: bigint;
  readonly received_ms: bigint;
  readonly causal_id: string | null;
  readonly principals: readonly string[];
}

/** Which event caused which, among the first thousand events of one correlation. @throws Problem `tenant_forbidden` (403) */
export async function readCausality(context: TenantContext, correlationId: string): Promise<Causality> {
  const rows = await context.require(readEvents).read<CausalRow>(sql`
    select id, type, sequence, (extract(epoch from occurred_at) * 1000)::bigint as occurred_ms,
      (extract(epoch from received_at) * 1000)::bigint as received_ms, causal_id, principals
    from audit.event where tenant_id = ${context.tenant} and correlation_id = ${correlationId}
    order by sequence limit ${mostCausal + 1}`);
  const events = arrange(
    rows.slice(0, mostCausal).map((row) => ({
      id: row.id,
      type: row.type,
      sequence: Number(row.sequence),
      occurredAt: timestamp(Number(row.occurred_ms)),
      receivedAt: timestamp(Number(row.received_ms)),
      principalChain: row.principals.map(principalOf),
      causalId: row.causal_id ?? undefined,
    })),
  );
  return { correlationId, events, truncated: rows.length > mostCausal };
}
