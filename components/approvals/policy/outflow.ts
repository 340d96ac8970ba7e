import { sql, type TenantTransaction } from '@steward/sql';
import type { Outflow } from '@steward/tools';

/** One at a time in a tenant, so that no two find room under one limit. Taken last, after whatever the ledger holds. */
export async function lockOutflow(tx: TenantTransaction): Promise<void> {
  await tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${`approvals outflow ${tx.context.tenant}`}, 0))`);
}

/** Notes what an action would take or took, in place of what was noted of it; or what was done at once. */
export async function keepOutflow(
  tx: TenantTransaction,
  id: string,
  tool: string,
  flows: readonly Outflow[],
): Promise<void> {
  await tx.mark();
  await tx.query(sql`
    select approvals.keep_outflow(${id}::uuid, ${tool}, ${flows.map(({ currency }) => currency)}::text[],
      ${flows.map(({ out }) => String(out))}::bigint[], ${flows.map(({ owed }) => String(owed))}::bigint[])`);
}

/**
 * What was taken in a currency on this UTC day, and what was asked for on it before `judged` and is still open: by all tools
 * and doors, or by one tool. Under `lockOutflow`.
 */
export async function outflowOfDay(
  tx: TenantTransaction,
  currency: string,
  { tool, judged }: { readonly tool?: string | undefined; readonly judged: string | undefined },
): Promise<{ readonly out: bigint; readonly owed: bigint }> {
  const { tenant } = tx.context;
  const [row] = await tx.query<{ out: string; owed: string }>(sql`
    select coalesce(sum(o.taken), 0)::text as out, coalesce(sum(o.owed), 0)::text as owed
    from approvals.outflow o left join approvals.action a on a.tenant_id = o.tenant_id and a.action_id = o.outflow_id
    where o.tenant_id = ${tenant}::uuid and o.currency = ${currency} and o.at >= date_trunc('day', clock_timestamp(), 'UTC')
      and (${tool ?? null}::text is null or o.tool = ${tool ?? null}) and o.outflow_id is distinct from ${judged ?? null}::uuid
      and (a.action_id is null or a.requested_at >= date_trunc('day', clock_timestamp(), 'UTC')
        or a.decided_at >= date_trunc('day', clock_timestamp(), 'UTC'))
      and (a.action_id is null or a.state in ('approved', 'executed')
        or (a.state = 'pending' and a.expires_at > clock_timestamp()
          and (${judged ?? null}::uuid is null or (a.requested_at, a.action_id) < (
            select j.requested_at, j.action_id from approvals.action j
            where j.tenant_id = ${tenant}::uuid and j.action_id = ${judged ?? null}::uuid))))`);
  return { out: BigInt(row?.out ?? 0), owed: BigInt(row?.owed ?? 0) };
}
