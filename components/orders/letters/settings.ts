import type { Fixed } from '@steward/contract';
import { fail } from '@steward/kernel';
import { type Row, statement, type Statement } from '@steward/sql';
import { digestOf } from '@steward/verification';
import { z } from 'zod';
import type { Addressing, Asking } from './addressing.ts';

/** Addresses of one brand that are told of new orders. */
export const mostAddresses = 10;

/** How letters about orders of a brand are written: of `orders.letter_setting`. */
export interface LetterSettings {
  readonly replyTo: string | null;
  /** Each with an id, by which letters that wait know it. Null: the owners. */
  readonly newOrdersTo: readonly { readonly id: string; readonly address: string }[] | null;
  /** Counts changes. */
  readonly version: number;
}

/** Until somebody changes them. */
const unchanged: LetterSettings = { replyTo: null, newOrdersTo: null, version: 1 };

export const selectLetterSettings = (tenant: string, brandId: string): Statement =>
  statement(
    `select reply_to, new_orders_to, version from orders.letter_setting where tenant_id = $1::uuid and brand_id = $2::uuid`,
    [tenant, brandId],
  );

export const letterSettingsOf = (row: Row | undefined): LetterSettings =>
  row === undefined
    ? unchanged
    : {
        replyTo: row['reply_to'] as string | null,
        newOrdersTo: row['new_orders_to'] as LetterSettings['newOrdersTo'],
        version: Number(row['version']),
      };

/** What settings say, as the digest in their events: `tenant_id`, `key` and `digest`. Salted, or an address could be guessed by it. */
export const letterSettingsContents = `select tenant_id, brand_id as key, ${digestOf(`'letter_settings/v1', salt, reply_to, new_orders_to`)} as digest
  from orders.letter_setting`;

export const brandLetters = z.object({
  brandId: z.uuid(),
  replyTo: z.string().nullable().meta({ description: 'Where buyers answer to. Null: where the server sends from.' }),
  newOrdersTo: z
    .array(
      z.object({
        address: z.string(),
        standing: z.enum(['member', 'confirmed', 'unconfirmed']),
        told: z.boolean().meta({ description: 'Whether it is written to.' }),
      }),
    )
    .nullable()
    .meta({ description: 'Who is told of new orders and edits. Null: the owners.' }),
  version: z.int(),
});
export type BrandLetters = Fixed<z.output<typeof brandLetters>>;

export const byBrand = { brandId: z.uuid().meta({ description: 'From service_list_brands.' }) };

export const noBrand = (): Error => fail('not_found', 'There is no such brand: list the brands for their ids.');

/** As doors answer them. */
export async function presentSettings(
  asking: Asking,
  brandId: string,
  { replyTo, newOrdersTo, version }: LetterSettings,
  { among }: Pick<Addressing, 'among'>,
): Promise<BrandLetters> {
  const known =
    newOrdersTo === null
      ? null
      : await among(
          asking,
          newOrdersTo.map(({ address }) => address),
        );
  return {
    brandId,
    replyTo,
    newOrdersTo: known?.map(({ address, standing, told }) => ({ address, standing, told })) ?? null,
    version,
  };
}
