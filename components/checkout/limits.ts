import { sql, type TenantTransaction } from '@steward/sql';
import { checkoutFail } from './errors.ts';

/** In use at once. A calculation reads the zones of a country, and these are all that there can be. */
export const limits = {
  tax_zone: 1_000,
  shipping_zone: 200,
  shipping_option: 1_000,
  discount: 10_000,
  automatic_discount: 25,
} as const;

const words: Readonly<Record<keyof typeof limits, string>> = {
  tax_zone: 'tax zones',
  shipping_zone: 'shipping zones',
  shipping_option: 'shipping options',
  discount: 'discounts with a code',
  automatic_discount: 'automatic discounts',
};

/**
 * Checks the limit before `more` are made; nobody else in the tenant makes any until the transaction ends.
 * @throws Problem `selling_limit` (409)
 */
export async function requireRoom(tx: TenantTransaction, kind: keyof typeof limits, more = 1): Promise<void> {
  const { tenant } = tx.context;
  await tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${`checkout.limits ${tenant}`}, 0))`);
  const [row] = await tx.query<{ made: number }>(counts[kind](tenant));
  if ((row?.made ?? 0) + more > limits[kind])
    throw checkoutFail(
      'selling_limit',
      `The tenant may have ${limits[kind]} ${words[kind]}: archive some of them first.`,
    );
}

const counts = {
  tax_zone: (tenant: string) =>
    sql`select count(*)::int as made from checkout.tax_zone where tenant_id = ${tenant}::uuid and archived_at is null`,
  shipping_zone: (tenant: string) =>
    sql`select count(*)::int as made from checkout.shipping_zone where tenant_id = ${tenant}::uuid and archived_at is null`,
  shipping_option: (tenant: string) =>
    sql`select count(*)::int as made from checkout.shipping_option where tenant_id = ${tenant}::uuid and archived_at is null`,
  discount: (tenant: string) =>
    sql`select count(*)::int as made from checkout.discount where tenant_id = ${tenant}::uuid and archived_at is null and code is not null`,
  automatic_discount: (tenant: string) =>
    sql`select count(*)::int as made from checkout.discount where tenant_id = ${tenant}::uuid and archived_at is null and code_key is null`,
} as const;
