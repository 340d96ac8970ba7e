import { asItWas, operation } from '@steward/access';
import { count, flag, nullable, type Of, shape, text, texts } from '@steward/contract';
import { statement, type Row, type Statement } from '@steward/sql';
import { z } from 'zod';
import { changedMembers, inLog } from '../changed.ts';
import { contentOf } from '../contents.ts';
import { event } from '../events.ts';
import { currency } from '../money.ts';
import { reads, taxes } from '../operations.ts';
import { country } from '../places/address.ts';

/** How the shop asks for tax: of `checkout.tax_setting` named `s`. */
const taxSettings = shape('s', {
  /** Where the business sells from; without it nothing is sold by reverse charge. */
  country: nullable(text()),
  /** Currencies whose prices are without tax; prices in all others contain it. */
  pricesWithoutTax: texts(),
  /** Whether businesses of other countries of the European Union are charged no tax. */
  reverseCharge: flag(),
  /** Counts changes. */
  version: count(),
});
export type TaxSettings = Of<typeof taxSettings>;

/** Until somebody changes them: shops in the United States and Canada show prices without tax, and others with it. */
const unchanged: TaxSettings = { country: null, pricesWithoutTax: ['CAD', 'USD'], reverseCharge: true, version: 1 };

export const selectSettings = (tenant: string): Statement =>
  statement(`select ${taxSettings.columns} from checkout.tax_setting s where s.tenant_id = $1::uuid`, [tenant]);
export const settingsOf = (row: Row | undefined): TaxSettings =>
  row === undefined ? unchanged : taxSettings.read(row);

export const getTaxSettings = operation(
  { ...reads, name: 'service_get_tax_settings', input: z.strictObject({}), answer: taxSettings.answer },
  async ({ context, read }) => settingsOf((await read(selectSettings(context.tenant)))[0]),
);

/** Changes what is given and nothing else. Orders keep the tax that they were charged. */
export const changeTaxSettings = operation(
  {
    ...taxes,
    name: 'service_change_tax_settings',
    input: z.strictObject({
      country: country.nullable().optional().meta({
        description:
          'Country that the business sells from, such as `DE`. null: none, and then nothing is sold by reverse charge.',
      }),
      pricesWithoutTax: z.array(currency).max(200).optional().meta({
        description: 'Currencies whose prices are without tax; prices in all others contain it. The whole list.',
      }),
      reverseCharge: z.boolean().optional().meta({
        description: 'true: a business with a VAT number of another country of the European Union pays no tax.',
      }),
    }),
    answer: taxSettings.answer,
  },
  async (scope, asked) =>
    scope.write(async (tx) => {
      const { tenant } = tx.context;
      const { pricesWithoutTax } = asked;
      const change = {
        ...asked,
        pricesWithoutTax: pricesWithoutTax === undefined ? undefined : [...new Set(pricesWithoutTax)].toSorted(),
      };
      const [first] = await tx.query(selectSettings(tenant));
      if (first === undefined) {
        // A row that nothing tells of would not be verified.
        if (changedMembers(unchanged, change).length === 0) return asItWas(unchanged);
        // It is there before it is held, so that two first changes wait for each other.
        await tx.query(
          statement(
            `insert into checkout.tax_setting (tenant_id, country, prices_without_tax, reverse_charge)
             values ($1::uuid, $2, $3::text[], $4) on conflict do nothing`,
            [tenant, unchanged.country, unchanged.pricesWithoutTax, unchanged.reverseCharge],
          ),
        );
      }
      const [held] = await tx.query(
        statement(
          `select ${taxSettings.columns} from checkout.tax_setting s where s.tenant_id = $1::uuid for no key update`,
          [tenant],
        ),
      );
      const before = settingsOf(held);
      const changed = changedMembers(before, change);
      if (changed.length === 0) return asItWas(before);
      const next = {
        ...before,
        ...Object.fromEntries(changed.map((member) => [member, change[member as keyof typeof change]])),
      };
      const [row] = await tx.query(
        statement(
          `update checkout.tax_setting s set country = $2, prices_without_tax = $3::text[], reverse_charge = $4, version = version + 1
           where s.tenant_id = $1::uuid returning ${taxSettings.columns}`,
          [tenant, next.country, next.pricesWithoutTax, next.reverseCharge],
        ),
      );
      const after = settingsOf(row);
      tx.record(
        event('commerce.tax_settings.changed', {
          fields: inLog(changed),
          version: after.version,
          content_sha256: await contentOf(tx, 'tax_setting', tenant),
        }),
      );
      return after;
    }),
);
