import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newId } from '@steward/kernel';
import { sql, type Row, type Statement } from '@steward/sql';
import type { WantedLine } from '../pricing/line.ts';
import { evaluate, evaluationReads, readingOf } from './figures.ts';
import { nothingSaid } from './said.ts';

const address = {
  name: 'Ann',
  company: null,
  line1: 'Weg 1',
  line2: null,
  city: 'Berlin',
  region: null,
  postcode: '10115',
  country: 'DE',
  phone: null,
};
const nothing = { ...nothingSaid, locale: null, lines: [], codes: [] };
/** Cards are paid by the account of a connection. */
const withCards: Parameters<typeof evaluate>[4] = {
  accounts: {
    select: () => sql`select 'account' as of`,
    accountIn: () => undefined,
    keysOf: async () => undefined,
  },
};

test('what is read ahead is what a checkout is evaluated by: otherwise each step reads all of it twice', async () => {
  const tenant = newId();
  const market = { mode: 'live', brandId: newId(), currency: 'EUR', mediaAt: '' } as const;
  const lines: readonly WantedLine[] = [{ id: newId(), variantId: newId(), quantity: 1, kept: null }];
  for (const payments of [{}, withCards])
    for (const said of [
      nothing,
      { ...nothing, codes: ['TEN'] },
      { ...nothing, email: 'ann@example.com' },
      { ...nothing, shippingAddress: address },
      { ...nothing, billingAddress: address },
    ]) {
      const asked: (readonly Statement[])[] = [];
      const read = async (statements: readonly Statement[]): Promise<Row[][]> => {
        asked.push(statements);
        return statements.map(() => []);
      };
      const of = { ...market, ...said };
      await evaluate(tenant, read, of, market, payments, lines);
      assert.deepEqual(asked, [evaluationReads(tenant, readingOf(of, lines), payments)]);
    }
});
