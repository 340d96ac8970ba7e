import { operation } from '@steward/access';
import { newId } from '@steward/kernel';
import { statement, type TenantTransaction } from '@steward/sql';
import { z } from 'zod';
import { contentOf } from '../contents.ts';
import type { CheckoutDeps } from '../deps.ts';
import { checkoutFail } from '../errors.ts';
import { event } from '../events.ts';
import { requireRoom } from '../limits.ts';
import { Faults } from '../money.ts';
import { sells } from '../operations.ts';
import { codeKey, discount, kinds } from './discount.ts';
import { bare, readTerms, requireWhole, terms, valuesOf, type Whole, written } from './terms.ts';

/** @throws Problem `invalid_request` (400) with pointers, `discount_code_taken`, `selling_limit` (409) */
export const createDiscount = operation(
  {
    ...sells,
    name: 'service_create_discount',
    input: z.strictObject({
      kind: z.enum(kinds).meta({ description: 'What it lowers and how. Never changes.' }),
      ...terms,
    }),
    answer: discount.answer,
    errors: ['discount_code_taken', 'selling_limit'],
  },
  async (scope, { kind, ...given }, deps: CheckoutDeps) =>
    scope.write(async (tx) => {
      const faults = new Faults();
      const read = readTerms(faults, kind, given);
      const whole: Whole = { kind, ...bare(kind), ...present(read), name: given.name };
      await requireWhole(tx, faults, whole, given, deps);
      faults.throw();
      await requireRoom(tx, whole.code === null ? 'automatic_discount' : 'discount');
      await requireFreeCode(tx, whole.code, undefined);
      const [row] = await tx.query(
        statement(
          `insert into checkout.discount as d (tenant_id, discount_id, kind, ${written.map((one) => one.split('::')[0]).join(', ')})
           values ($1::uuid, $2::uuid, $3, ${written.map((one, index) => `$${index + 4}${castOf(one)}`).join(', ')})
           returning ${discount.columns}`,
          [tx.context.tenant, newId(), kind, ...valuesOf(faults, whole)],
        ),
      );
      const made = discount.read(row ?? {});
      tx.record(
        event('commerce.discount.created', {
          discount_id: made.id,
          kind,
          content_sha256: await contentOf(tx, 'discount', made.id),
        }),
      );
      return made;
    }),
);

/** Without members that are undefined. */
export const present = <T extends object>(given: T): { [K in keyof T]?: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as never;

export const castOf = (column: string): string => {
  const type = column.split('::')[1];
  return type === undefined ? '' : `::${type}`;
};

/** The lock of `requireRoom` keeps others from taking it meanwhile. @throws Problem `discount_code_taken` (409) */
export async function requireFreeCode(
  tx: TenantTransaction,
  code: string | null,
  own: string | undefined,
): Promise<void> {
  if (code === null) return;
  const [taken] = await tx.query(
    statement(
      `select from checkout.discount d where d.tenant_id = $1::uuid and d.code_key = $2 and d.archived_at is null
         and d.discount_id is distinct from $3::uuid`,
      [tx.context.tenant, codeKey(code), own ?? null],
    ),
  );
  if (taken === undefined) return;
  const detail = 'Another discount in use has this code, in whichever case: choose another code, or archive that one.';
  throw checkoutFail('discount_code_taken', detail, {
    errors: [{ pointer: '/code', code: 'discount_code_taken', detail }],
  });
}
