import { sql, type TenantContext } from '@steward/sql';
import { keepDrafts } from '../permissions.ts';

/**
 * Bytes of carts, of checkouts without an order, and of what requests for them were answered, as the database keeps them. What was bought is not among
 * them: it stays, and is no draft.
 */
export async function cartBytes(context: TenantContext): Promise<number> {
  const { tenant } = context;
  const [found] = await context.require(keepDrafts).read<{ bytes: number }>(sql`
    select ((select coalesce(sum(400 + pg_column_size(lines) + coalesce(pg_column_size(door_state), 0)), 0) from checkout.cart
        where tenant_id = ${tenant}::uuid)
      + (select coalesce(sum(800 + pg_column_size(lines) + pg_column_size(figures) + coalesce(pg_column_size(door_state), 0)
          + coalesce(pg_column_size(agreed), 0) + coalesce(pg_column_size(note), 0)), 0) from checkout.session
        where tenant_id = ${tenant}::uuid and status <> 'completed')
      + (select coalesce(sum(200 + coalesce(pg_column_size(answer), 0)), 0) from checkout.request
        where tenant_id = ${tenant}::uuid))::float8 as bytes`);
  return found?.bytes ?? 0;
}
