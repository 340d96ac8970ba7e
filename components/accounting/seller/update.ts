import { isDeepStrictEqual } from 'node:util';
import { asItWas, operation } from '@steward/access';
import { sql } from '@steward/sql';
import { z } from 'zod';
import { contentOf } from '../contents.ts';
import { invalidAt } from '../errors.ts';
import { event } from '../events.ts';
import { decides } from '../operations.ts';
import { documentLanguage } from '../documents/words.ts';
import { partyInput, postalOf } from '../parties/party.ts';
import { addressOf, addressWanted, isStorable } from '../text.ts';
import { type Seller, selectSeller, seller, sellerOf } from './seller.ts';

const { address, vatNumber } = partyInput.shape;
const line = z.string().max(200).nullable().optional();

/**
 * Changes what is given; the rest stays. People approve it: invoices tell buyers whom to pay, and what is issued stays. Documents that were issued keep what they were issued with.
 * @throws Problem `invalid_request` (400)
 */
export const updateSeller = operation(
  {
    ...decides,
    area: 'books',
    name: 'service_update_seller',
    input: z.strictObject({
      name: line.meta({ description: 'Name of the company in law, in one line. null: the name of the organization.' }),
      address: address.nullable().meta({ description: 'Postal address, up to 10 lines. null removes it.' }),
      vatNumber: vatNumber.nullable().meta({ description: 'As printed. null removes it.' }),
      registration: line.meta({
        description: 'Number of the company and its register or court, in one line. null removes it.',
      }),
      paymentDetails: address.nullable().meta({
        description: 'Where buyers pay to, such as an IBAN, up to 10 lines, printed on invoices. null removes it.',
      }),
      language: documentLanguage.optional().meta({
        description: 'Language of invoices and credit notes, and of what the system writes on them of orders.',
      }),
    }),
    answer: seller.answer,
  },
  async (scope, changes) =>
    scope.write(async (tx) => {
      const { tenant } = tx.context;
      // The first change has no row yet that the second could wait for.
      await tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${`accounting seller ${tenant}`}, 0))`);
      const before = sellerOf((await tx.query(selectSeller(tenant)))[0]);
      const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
      const asked = { ...before, ...given };
      const now = {
        name: lineOf(asked, 'name'),
        ...postalOf(asked),
        registration: lineOf(asked, 'registration'),
        paymentDetails: linesOf(asked.paymentDetails),
        language: asked.language,
      };
      if (isDeepStrictEqual(now, before)) return asItWas(before);
      await tx.query(sql`
        insert into accounting.seller (tenant_id, name, address, vat_number, registration, payment_details, language)
        values (${tenant}::uuid, ${now.name}, ${now.address}, ${now.vatNumber}, ${now.registration}, ${now.paymentDetails},
          nullif(${now.language}, 'en'))
        on conflict (tenant_id) do update set name = excluded.name, address = excluded.address, vat_number = excluded.vat_number, registration = excluded.registration,
          payment_details = excluded.payment_details, language = excluded.language`);
      tx.record(
        event('accounting.seller.updated', {
          fields: Object.keys(given).toSorted(),
          content_sha256: await contentOf(tx, 'seller', tenant),
        }),
      );
      return now;
    }),
);

/** @throws Problem `invalid_request` (400) */
function linesOf(text: string | null): string | null {
  const lines = text === null ? null : addressOf(text);
  if (lines === undefined) throw invalidAt('/paymentDetails', addressWanted);
  return lines;
}

/** @throws Problem `invalid_request` (400) */
function lineOf(of: Partial<Seller>, member: 'name' | 'registration'): string | null {
  const text = of[member]?.trim() ?? null;
  if (text === null || (text !== '' && isStorable(text, 200) && !/\p{Cc}/u.test(text))) return text;
  throw invalidAt(`/${member}`, 'Give 1 to 200 characters in one line, without control characters.');
}
