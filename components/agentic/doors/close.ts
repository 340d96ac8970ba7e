import { sql, type TenantTransaction } from '@steward/sql';
import { event } from '../events.ts';
import type { AgenticPorts } from '../ports.ts';
import type { Mode, Protocol } from '../words.ts';

/** Closes the doors of a brand in the transaction that archives it. */
export async function closeDoors(
  tx: TenantTransaction,
  brandId: string,
  { changed }: Pick<AgenticPorts, 'changed'>,
): Promise<undefined> {
  const { tenant } = tx.context;
  const closed = await tx.query<{
    protocol: Protocol;
    mode: Mode;
    refuse_unsigned: boolean;
    trusted_only: boolean;
    version: number;
  }>(sql`
    update agentic.door set active = false, version = version + 1, updated_at = clock_timestamp()
    where tenant_id = ${tenant}::uuid and brand_id = ${brandId}::uuid and active
    returning protocol, mode, refuse_unsigned, trusted_only, version`);
  for (const { protocol, mode, refuse_unsigned, trusted_only, version } of closed)
    tx.record(
      event('agentic.door.configured', {
        brand_id: brandId,
        protocol,
        active: false,
        mode,
        refuse_unsigned,
        trusted_only,
        version,
      }),
    );
  if (closed.length > 0) tx.afterCommit(() => changed(tenant));
  return undefined;
}
