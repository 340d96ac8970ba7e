import { fail } from '@steward/kernel';
import { addressDigest } from '@steward/mail';
import { sql, type TenantTransaction } from '@steward/sql';
import type { Mode } from '@steward/stock';
import { checkoutFail } from '../errors.ts';
import { discount, selectDiscounts } from './discount.ts';

interface Use {
  /** Tests leave the limit of a discount to those who pay; that of a buyer counts each mode by itself. */
  readonly mode: Mode;
  readonly discountIds: readonly string[];
  /** The order or checkout that uses them; the same once more uses nothing. */
  readonly useId: string;
  /** The buyer's e-mail address; kept as a digest. */
  readonly buyer: string;
}

/**
 * Uses discounts of an order in the caller's transaction, which is to be rolled back where this throws. Rows are locked in the order of
 * their ids, so that orders with several discounts do not wait for each other in a circle; limits are guarded by the statement that counts.
 * @throws Problem `discount_unusable` (409) with the discount's id: it was used up, ended or was taken out of use meanwhile
 */
export async function useDiscounts(tx: TenantTransaction, { mode, discountIds, useId, buyer }: Use): Promise<void> {
  if (discountIds.length === 0) return;
  const { tenant } = tx.context;
  const ids = [...new Set(discountIds)];
  const held = (
    await tx.query(
      selectDiscounts('d.discount_id = any ($2::uuid[]) order by d.discount_id for no key update', tenant, ids),
    )
  ).map(discount.read);
  if (held.length < ids.length) throw fail('not_found', 'There is no such discount in this tenant.');
  const fresh = (
    await tx.query<{ discount_id: string }>(sql`
      insert into checkout.discount_use (tenant_id, discount_id, use_id, mode, buyer)
      select ${tenant}::uuid, id, ${useId}::uuid, ${mode}, decode(${addressDigest(buyer)}, 'hex') from unnest(${ids}::uuid[]) id
      on conflict do nothing returning discount_id`)
  ).map(({ discount_id }) => discount_id);
  if (fresh.length === 0) return;
  const counted = new Set(
    (
      await tx.query<{ discount_id: string }>(sql`
        update checkout.discount d set used = used + ${mode === 'live' ? 1 : 0}
        where d.tenant_id = ${tenant}::uuid and d.discount_id = any (${fresh}::uuid[]) and d.archived_at is null and d.active
          and (d.usage_limit is null or d.used < d.usage_limit)
          and (d.starts_at is null or d.starts_at <= clock_timestamp()) and (d.ends_at is null or d.ends_at > clock_timestamp())
        returning d.discount_id`)
    ).map(({ discount_id }) => discount_id),
  );
  const limits = new Map(held.map(({ id, usageLimitPerBuyer }) => [id, usageLimitPerBuyer ?? Infinity]));
  const refused = fresh.find((id) => !counted.has(id)) ?? (await overUsed());
  if (refused !== undefined)
    throw checkoutFail(
      'discount_unusable',
      'A discount of the order was used up, ended or taken out of use meanwhile: calculate the order again.',
      { members: { discountId: refused } },
    );

  /** Those who count wait for the row of the discount, so this sees every use but its own transaction's later ones. */
  async function overUsed(): Promise<string | undefined> {
    if (fresh.every((id) => limits.get(id) === Infinity)) return undefined;
    const uses = await tx.query<{ discount_id: string; uses: number }>(sql`
      select discount_id, count(*)::int as uses from checkout.discount_use
      where tenant_id = ${tenant}::uuid and discount_id = any (${fresh}::uuid[]) and mode = ${mode}
        and buyer = decode(${addressDigest(buyer)}, 'hex')
      group by discount_id`);
    return uses.find(({ discount_id, uses: made }) => made > (limits.get(discount_id) ?? Infinity))?.discount_id;
  }
}

/** Gives back what orders or checkouts used, once: when they are cancelled or expire, or were tests that are deleted. */
export async function releaseDiscounts(tx: TenantTransaction, ...useIds: readonly string[]): Promise<void> {
  const { tenant } = tx.context;
  await tx.query(sql`
    select from checkout.discount d where d.tenant_id = ${tenant}::uuid and d.discount_id in (
      select u.discount_id from checkout.discount_use u where u.tenant_id = ${tenant}::uuid and u.use_id = any (${useIds}::uuid[]))
    order by d.discount_id for no key update`);
  const freed = await tx.query<{ discount_id: string }>(sql`
    with freed as (
      delete from checkout.discount_use where tenant_id = ${tenant}::uuid and use_id = any (${useIds}::uuid[]) returning discount_id, mode)
    select discount_id from freed where mode = 'live'`);
  if (freed.length === 0) return;
  await tx.query(sql`
    update checkout.discount d set used = used - f.uses
    from (select id, count(*)::int as uses from unnest(${freed.map(({ discount_id }) => discount_id)}::uuid[]) id group by id) f
    where d.tenant_id = ${tenant}::uuid and d.discount_id = f.id`);
}
