import { statement, type TenantTransaction } from '@steward/sql';
import { z } from 'zod';
import type { CatalogueDeps } from '../deps.ts';

const most = 20;
const codes = ['no_price', 'not_published', 'dearer_by_quantity', 'unlisted_tax_category'] as const;

/** What is so, though hardly anybody means it; nothing is refused for it. */
export const warnings = z
  .array(z.object({ code: z.enum(codes), productId: z.uuid(), detail: z.string() }))
  .meta({ description: `Up to ${most}: what is probably not meant. Nothing was refused for it.` });
type Warnings = z.output<typeof warnings>;

/** Of products as they are in the transaction. */
export async function warningsOf(
  tx: TenantTransaction,
  ids: readonly string[],
  { taxCategories }: Pick<CatalogueDeps, 'taxCategories'>,
): Promise<Warnings> {
  const rows = await tx.query<{ code: (typeof codes)[number]; product_id: string; title: string; about: string }>(
    statement(
      `with p as (select tenant_id, product_id, title, status, tax_category from catalogue.product
         where tenant_id = $1::uuid and product_id = any ($2::uuid[])),
       c as (select p.product_id, p.title, c.* from p
         join catalogue.variant v on v.tenant_id = p.tenant_id and v.product_id = p.product_id and v.removed_at is null
         join catalogue.price c on c.tenant_id = v.tenant_id and c.variant_id = v.variant_id)
       select 'no_price' as code, p.product_id, p.title, '' as about from p
       where p.status = 'active' and not exists (select from c where c.product_id = p.product_id)
         and exists (select from catalogue.publication b where b.tenant_id = p.tenant_id and b.product_id = p.product_id)
       union all
       select 'not_published', p.product_id, p.title, '' from p
       where p.status = 'active'
         and not exists (select from catalogue.publication b where b.tenant_id = p.tenant_id and b.product_id = p.product_id)
       union all
       select distinct 'dearer_by_quantity', s.product_id, s.title, s.currency from (
         select c.*, lag(amount) over (partition by variant_id, currency order by min_quantity) as fewer from c) s
       where s.amount > s.fewer
       union all
       select 'unlisted_tax_category', p.product_id, p.title, p.tax_category from p
       where p.tax_category <> 'standard' and not p.tax_category = any ($3::text[])
       order by 1, 2 limit ${most}`,
      [tx.context.tenant, ids, [...(await taxCategories(tx))]],
    ),
  );
  return rows.map(({ code, product_id: productId, title, about }) => ({
    code,
    productId,
    detail: told[code](title, about),
  }));
}

const told = {
  no_price: (title: string) => `${title} is active and published and has no price: nobody can buy it.`,
  not_published: (title: string) => `${title} is active and in no brand: no shop shows it until it is published.`,
  dearer_by_quantity: (title: string, currency: string) =>
    `${title} costs more in ${currency} from a larger quantity on.`,
  unlisted_tax_category: (title: string, category: string) =>
    `${title} has the tax category ${category}, which no tax zone lists: it is taxed as standard.`,
} as const;

/** For a tool. */
export const warnOf = ({
  warnings: found,
}: {
  readonly warnings: readonly { readonly detail: string }[];
}): string | undefined => (found.length === 0 ? undefined : found.map(({ detail }) => detail).join(' '));
