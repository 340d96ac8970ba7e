import { listingOf, makerOf, type Integrations } from '@steward/identity';
import { sql } from '@steward/sql';
import { event } from '../events.ts';
import type { AgenticPorts } from '../ports.ts';

const good = 'c.revoked_at is null and (c.expires_at is null or c.expires_at > clock_timestamp())';

interface Changed extends Record<string, unknown> {
  readonly credential_id: string;
  readonly agent_id: string;
  readonly brand_id: string;
}

/** Credentials of agent platforms as what lets somebody in from outside. One whose client is shut out opens no door. */
export const madeCredentials = ({ changed }: Pick<AgenticPorts, 'changed'>): Integrations => ({
  kind: 'agent_credential',
  select: listingOf({
    kind: 'agent_credential',
    from: 'agentic.credential c',
    row: 'c',
    id: 'c.credential_id',
    name: `c.label || ' (ak_' || c.mode || '_…' || c.last_four || ')'`,
    where: good,
    suspendedAt: 'c.suspended_at',
    // Whoever issued it was shown it.
    knowers: 'select c.tenant_id, c.created_by, c.created_by_type, c.created_through',
  }),
  suspend: async (tx, ids) => {
    const { tenant } = tx.context;
    const rows = await tx.query<Changed>(sql`
      update agentic.credential set suspended_at = clock_timestamp()
      where tenant_id = ${tenant}::uuid and credential_id = any (${[...ids]}::uuid[]) and revoked_at is null and suspended_at is null
      returning credential_id, agent_id, brand_id`);
    for (const { credential_id, agent_id, brand_id } of rows)
      tx.record(event('agentic.credential.suspended', { credential_id, agent_id, brand_id }));
    if (rows.length > 0) tx.afterCommit(() => changed(tenant));
  },
  restore: async (tx, id) => {
    const { tenant } = tx.context;
    const { by, byType, through } = makerOf(tx.context);
    const [row] = await tx.query<Changed>(sql`
      update agentic.credential set suspended_at = null, created_by = ${by}, created_by_type = ${byType}, created_through = ${through}
      where tenant_id = ${tenant}::uuid and credential_id::text = ${id} and revoked_at is null and suspended_at is not null
      returning credential_id, agent_id, brand_id`);
    if (row === undefined) return false;
    const { credential_id, agent_id, brand_id } = row;
    tx.record(event('agentic.credential.restored', { credential_id, agent_id, brand_id }));
    tx.afterCommit(() => changed(tenant));
    return true;
  },
});
