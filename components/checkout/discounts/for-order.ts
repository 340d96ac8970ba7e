import { addressDigest } from '@steward/mail';
import type { Mode } from '@steward/stock';
import { type Row, sql, type Statement, type TenantScope } from '@steward/sql';
import { chooseDiscounts } from '../totals/choose.ts';
import type { Discount } from '../totals/discount.ts';
import { applicable, type Inapplicable, type Sale } from './applicable.ts';
import { codeKey, discount, selectDiscounts } from './discount.ts';

/** Codes of one order that are looked at. */
export const mostCodes = 5;

export interface Discounting {
  /** As `totalsOf` takes them. */
  readonly discounts: readonly Discount[];
  /** What buyers are shown of them, by id. */
  readonly called: ReadonlyMap<string, { readonly name: string; readonly code: string | null }>;
  /** Of each code that does nothing, as it was entered: why. */
  readonly refused: readonly {
    readonly code: string;
    readonly reason: Inapplicable | 'discount_not_combinable' | 'discount_outdone' | 'discount_too_many';
  }[];
}

/**
 * What `discountingBy` is to be given the rows of: the codes that were entered, the automatic discounts, and what the buyer used of both.
 * @param buyer digest of the e-mail address, once it is known: what the buyer used up is refused
 */
export function discountReads(
  tenant: string,
  entered: readonly string[],
  mode: Mode,
  buyer?: string,
): readonly [Statement, Statement] {
  const keys = [...new Set(entered.map(codeKey))].slice(0, mostCodes);
  return [
    selectDiscounts(
      `d.archived_at is null and (d.code_key = any ($2::text[]) or d.code_key is null and d.active)`,
      tenant,
      keys,
    ),
    sql`
      select u.discount_id, count(*)::int as uses from checkout.discount_use u
      join checkout.discount d on d.tenant_id = u.tenant_id and d.discount_id = u.discount_id
      where u.tenant_id = ${tenant}::uuid and u.mode = ${mode} and u.buyer = decode(${buyer ?? ''}, 'hex')
        and d.archived_at is null and d.usage_limit_per_buyer is not null and (d.code_key is null or d.code_key = any (${keys}::text[]))
      group by u.discount_id`,
  ];
}

/** The collections that discounts of these rows name: of the goods, only those matter. */
export const collectionsNamed = (rows: readonly Row[]): readonly string[] => [
  ...new Set(rows.flatMap((row) => [row['collection_ids'], row['buy_collection_ids']] as string[][]).flat()),
];

/** The discounts of an order, in one round trip. What is looked at is used only by `useDiscounts`. */
export async function discountsFor(
  scope: TenantScope,
  sale: Sale,
  entered: readonly string[],
  buyer?: string,
): Promise<Discounting> {
  const [rows = [], uses = []] = await scope.readAll(
    discountReads(scope.context.tenant, entered, 'live', buyer === undefined ? undefined : addressDigest(buyer)),
  );
  return discountingBy(rows, uses, sale, entered);
}

/** @param rows of both statements of `discountReads` */
export function discountingBy(
  rows: readonly Row[],
  uses: readonly Row[],
  sale: Sale,
  entered: readonly string[],
): Discounting {
  const codes = new Map(entered.map((code) => [codeKey(code), code]));
  const keys = [...codes.keys()].slice(0, mostCodes);
  const settings = rows.map(discount.read);
  const usedUp = new Map(uses.map((row) => [String(row['discount_id']), Number(row['uses'])]));
  const judged = new Map(
    settings.map((setting) => {
      const left = (setting.usageLimitPerBuyer ?? Infinity) - (usedUp.get(setting.id) ?? 0);
      return [setting, left > 0 ? applicable(setting, sale) : ('discount_used_by_buyer' as const)] as const;
    }),
  );
  const byKey = new Map(settings.flatMap((one) => (one.code === null ? [] : [[codeKey(one.code), one] as const])));
  const usable = keys.flatMap((key) => {
    const setting = byKey.get(key);
    const found = setting === undefined ? undefined : judged.get(setting);
    return typeof found === 'object' ? [found] : [];
  });
  const automatic = settings.flatMap((setting) => {
    const found = judged.get(setting);
    return setting.code === null && typeof found === 'object' ? [found] : [];
  });
  const { chosen, refused } = chooseDiscounts(sale, usable, automatic);
  const named = new Map(settings.map((setting) => [setting.id, setting]));
  return {
    discounts: chosen,
    called: new Map(
      chosen.map(({ id }) => [id, { name: named.get(id)?.name ?? '', code: named.get(id)?.code ?? null }]),
    ),
    refused: [...codes].flatMap(([key, code], index): Discounting['refused'] => {
      if (index >= mostCodes) return [{ code, reason: 'discount_too_many' }];
      const setting = byKey.get(key);
      const found = setting === undefined ? ('discount_not_found' as const) : judged.get(setting);
      const reason = typeof found === 'object' ? refused.get(found.id) : found;
      return reason === undefined ? [] : [{ code, reason }];
    }),
  };
}
