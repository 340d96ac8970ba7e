import assert from 'node:assert/strict';
import { test } from 'node:test';
import { snakeName } from '@steward/contract';
import { z } from 'zod';
import { account } from '../accounts/account.ts';
import { bankLine } from '../bank/line.ts';
import { document, documentLine } from '../documents/document.ts';
import { entry, entryLine } from '../journal/entry.ts';
import { party } from '../parties/party.ts';
import { payment, paymentAllocation } from '../payments/payment.ts';
import { journalColumns } from './journal-columns.ts';
import { tables } from './tables.ts';

interface Exported {
  readonly columns: readonly string[];
  /** What the API answers of a thing, and of each of its lines where a row is a line. */
  readonly answers: readonly z.ZodObject[];
  /** Columns that are called otherwise. */
  readonly called: Readonly<Record<string, string>>;
  /** Members without a column, and why. */
  readonly without?: Readonly<Record<string, string>>;
}

const byCode = 'the account is there by its code, which accounts.csv has with the id';

const files: Readonly<Record<keyof typeof tables | 'journal', Exported>> = {
  accounts: { ...tables.accounts, answers: [account.answer], called: { id: 'account_id' } },
  parties: { ...tables.parties, answers: [party.answer], called: { id: 'party_id', archived: 'archived_at' } },
  documents: {
    ...tables.documents,
    answers: [document.answer, documentLine],
    called: { id: 'document_id', partyName: 'party', percentage: 'tax_percentage' },
    without: { accountId: byCode, version: 'it counts changes of a draft and says nothing of the document' },
  },
  payments: {
    ...tables.payments,
    answers: [payment.answer],
    called: { id: 'payment_id', partyName: 'party' },
    without: { accountId: byCode },
  },
  allocations: {
    ...tables.allocations,
    answers: [paymentAllocation],
    called: { id: 'allocation_id' },
    without: {
      itemId: 'it is the other side of the payment that is asked about: both are there, credit_id and charge_id',
    },
  },
  'bank-lines': { ...tables['bank-lines'], answers: [bankLine.answer], called: { id: 'line_id' } },
  journal: {
    columns: journalColumns,
    answers: [entry.answer, entryLine],
    called: { id: 'entry_id', name: 'account' },
    without: { accountId: byCode },
  },
};

/** Whether a cell can hold it: no list, and no thing of its own but an amount. */
function isScalar(schema: z.ZodType): boolean {
  if (schema instanceof z.ZodNullable) return isScalar(schema.unwrap() as z.ZodType);
  if (schema instanceof z.ZodObject) return Object.keys(schema.shape).toSorted().join() === 'amount,currency';
  return !(schema instanceof z.ZodArray);
}

for (const [name, { columns, answers, called, without = {} }] of Object.entries(files))
  test(`${name}.csv has a column for each scalar that the API answers, or says why not`, () => {
    const members = answers.flatMap(({ shape }) =>
      Object.entries(shape).flatMap(([member, schema]) => (isScalar(schema as z.ZodType) ? [member] : [])),
    );
    assert.ok(members.length > 3);
    assert.deepEqual(
      members.filter((member) => !columns.includes(called[member] ?? snakeName(member))).toSorted(),
      Object.keys(without).toSorted(),
    );
    assert.equal(new Set(columns).size, columns.length, 'no column twice');
    for (const column of Object.values(called)) assert.ok(columns.includes(column), column);
  });

test('net and tax of a document are those of all of it, beside those of each line', () => {
  for (const column of ['net', 'tax', 'line_net', 'line_tax'])
    assert.ok(files.documents.columns.includes(column), column);
});
