import { sql, type TenantContext } from '@steward/sql';
import { readCallbacks } from '../permissions.ts';

/** Of a delivery that is kept: its row stays when its body is forgotten. */
const row = 1_024;

export const bytesOf = (body: Uint8Array): number => body.length + row;

/** Bytes of what providers sent to a tenant. */
export async function keptBytes(context: TenantContext): Promise<number> {
  const [found] = await context.require(readCallbacks).read<{ bytes: number }>(sql`
    select (coalesce(sum(octet_length(d.body)), 0) + count(*) * ${row}::int)::float8 as bytes
    from callbacks.delivery d where d.tenant_id = ${context.tenant}::uuid`);
  return found?.bytes ?? 0;
}
