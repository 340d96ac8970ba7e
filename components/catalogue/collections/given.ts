import type { FieldError } from '@steward/kernel';
import { statement, type TenantTransaction } from '@steward/sql';
import { z } from 'zod';
import { catalogueFail } from '../errors.ts';
import { brandIds, handleInput, members } from '../products/input.ts';
import { productsIn } from '../products/products-in.ts';
import { mostChosen } from './collection.ts';
import { matches, mostRules, ruleInput } from './rules.ts';

/** What is given of a collection. */
export const given = {
  title: members.title,
  handle: handleInput
    .optional()
    .meta({ description: 'Name in addresses, such as `summer`. Default: made of the title.' }),
  description: members.description,
  productIds: z
    .array(z.uuid())
    .max(mostChosen)
    .optional()
    .meta({ description: 'By hand: the products in their order, up to 1,000. The whole list.' }),
  match: z.enum(matches).optional().meta({ description: 'Of rules: whether products meet all or any. Default: all.' }),
  rules: z
    .array(ruleInput)
    .min(1)
    .max(mostRules)
    .optional()
    .meta({ description: 'Instead of productIds: what products it has, up to 20 rules. The whole list.' }),
  brandIds: brandIds
    .optional()
    .meta({ description: 'Brands whose pages show it, from service_list_brands. The whole list. Default: none.' }),
};

/** Tells of each product that is not there or is given twice. */
export async function checkProducts(
  tx: TenantTransaction,
  ids: readonly string[] | undefined,
  faults: FieldError[],
): Promise<void> {
  if (ids === undefined) return;
  const known = await productsIn(tx, ids);
  const seen = new Set<string>();
  ids.forEach((id, index) => {
    const fault = (code: string, detail: string) => faults.push({ pointer: `/productIds/${index}`, code, detail });
    if (!known.has(id.toLowerCase()))
      fault('unknown_product', 'There is no such product in this tenant: list the products for their ids.');
    else if (seen.has(id.toLowerCase())) fault('duplicate', 'Give each product once.');
    seen.add(id.toLowerCase());
  });
}

/** Collections that are in use at once: of those by rules, each is asked of each product that changes. */
const limits = { manual: 1_000, automatic: 200 } as const;

/** While `holdCollections` holds. @throws Problem `collection_limit`, `handle_taken` (409) */
export async function requireRoom(tx: TenantTransaction, kind: keyof typeof limits): Promise<void> {
  const [row] = await tx.query<{ made: number }>(
    statement(
      `select count(*)::int as made from catalogue.collection
       where tenant_id = $1::uuid and archived_at is null and (rules is null) = $2`,
      [tx.context.tenant, kind === 'manual'],
    ),
  );
  if ((row?.made ?? 0) >= limits[kind])
    throw catalogueFail(
      'collection_limit',
      `The tenant may have ${limits[kind]} collections ${kind === 'manual' ? 'by hand' : 'by rules'}: archive some of them first.`,
    );
}

/** @throws Problem `handle_taken` (409) */
export async function requireFreeHandle(tx: TenantTransaction, handle: string, own: string | undefined): Promise<void> {
  if (!(await isTaken(tx, handle, own))) return;
  const detail = `Another collection has the handle ${handle}: choose another one, or archive that collection.`;
  throw catalogueFail('handle_taken', detail, { errors: [{ pointer: '/handle', code: 'handle_taken', detail }] });
}

export async function isTaken(tx: TenantTransaction, handle: string, own: string | undefined): Promise<boolean> {
  const rows = await tx.query(
    statement(
      `select from catalogue.collection where tenant_id = $1::uuid and handle = $2 and archived_at is null
         and collection_id is distinct from $3::uuid`,
      [tx.context.tenant, handle, own ?? null],
    ),
  );
  return rows.length > 0;
}
