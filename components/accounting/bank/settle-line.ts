import { operation } from '@steward/access';
import { newId, parseAmount } from '@steward/kernel';
import { sql, type TenantTransaction } from '@steward/sql';
import { z } from 'zod';
import { booksFail, invalidAt, missingAt } from '../errors.ts';
import { decides } from '../operations.ts';
import { payment } from '../payments/payment.ts';
import { paymentInput, recordIn } from '../payments/record.ts';
import { booked } from '../subledger/shown.ts';
import { bankLine } from './line.ts';
import { addMatches, lineIn, openLine } from './match.ts';

const { refund, partyId, reference, method, allocations } = paymentInput.shape;

/** As much of a line's text as a payment keeps as its reference. */
const longest = 200;

/**
 * Records what is open of a line as a payment of a party, on the line's day and account, allocates it to documents, and matches the two: all of
 * it or nothing. What comes in is received, what goes out made.
 * @throws Problem `invalid_request` (400) where neither a party nor a document is named, `match_exceeds`, `reconciled` (409), and as `recordPayment` does
 */
export const settleLine = operation(
  {
    ...decides,
    area: 'bank',
    name: 'service_settle_bank_line',
    input: z.strictObject({
      lineId: z.uuid().meta({ description: 'From service_list_bank_lines.' }),
      partyId: partyId
        .optional()
        .meta({ description: 'From service_list_parties. Default: whose the first document is.' }),
      allocations,
      refund,
      reference: reference.unwrap().optional().meta({ description: 'Default: the text of the line.' }),
      method,
    }),
    answer: booked.extend({ line: bankLine.answer, payment: payment.answer }),
    errors: {
      not_found: 'partyId',
      party_archived: 'partyId',
      not_matching: 'partyId',
      match_exceeds: 'lineId',
      reconciled: 'lineId',
      period_closed: 'lineId',
      rate_missing: 'lineId',
      account_unusable: 'lineId',
      amount_too_large: 'lineId',
      invalid_amount: 'allocations',
      over_allocated: 'allocations',
    },
  },
  async (scope, { lineId, partyId: party, reference: given, ...rest }) =>
    scope.write(async (tx) => {
      const line = await openLine(tx, lineId);
      const { unmatched, description } = await lineIn(tx, lineId);
      const { amount, currency } = unmatched;
      const open = parseAmount(amount, currency) ?? 0n;
      if (open === 0n) throw booksFail('match_exceeds', 'The line has no open amount: it is fully matched.');
      const text = description.trim().slice(0, longest);
      const reference = given ?? (text === '' ? undefined : text);
      const made = await recordIn(tx, newId(), {
        ...rest,
        partyId: party ?? (await partyOf(tx, rest.allocations?.[0]?.itemId)),
        direction: open > 0n ? 'received' : 'made',
        account: line.accountId,
        date: line.day,
        currency,
        amount: amount.replace('-', ''),
        ...(reference === undefined ? {} : { reference }),
      });
      await addMatches(tx, line, [{ entryId: made.payment.entryId }]);
      return { ...made, line: await lineIn(tx, lineId) };
    }),
);

/** @throws Problem `invalid_request` (400), `not_found` (404) */
async function partyOf(tx: TenantTransaction, itemId: string | undefined): Promise<string> {
  if (itemId === undefined) throw invalidAt('/partyId', 'Name the party, or the document that the line pays.');
  const [row] = await tx.query<{ party_id: string }>(sql`
    select party_id from accounting.item where tenant_id = ${tx.context.tenant}::uuid and item_id = ${itemId}::uuid`);
  if (row === undefined)
    throw missingAt(
      '/allocations/0',
      'There is no such issued document in this tenant: list the documents for their ids.',
    );
  return row.party_id;
}
