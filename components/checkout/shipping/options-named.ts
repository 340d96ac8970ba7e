import { statement, type TenantContext } from '@steward/sql';
import { serveBuyers } from '../permissions.ts';

/** A way of shipping in use, as whoever knows only its name finds it. */
export interface NamedOption {
  readonly id: string;
  readonly name: string;
  /** Where its zone leads. */
  readonly countries: readonly string[];
}

/** The ways of shipping in use, the first one first: at most 1,000. */
export async function shippingOptionsNamed(context: TenantContext): Promise<readonly NamedOption[]> {
  const rows = await context.require(serveBuyers).read<{ id: string; name: string; countries: string[] }>(
    statement(
      `select o.shipping_option_id as id, o.name, z.countries
         from checkout.shipping_option o join checkout.shipping_zone z on z.tenant_id = o.tenant_id and z.shipping_zone_id = o.shipping_zone_id
         where o.tenant_id = $1::uuid and o.archived_at is null and z.archived_at is null order by o.shipping_option_id limit 1000`,
      [context.tenant],
    ),
  );
  return rows;
}
