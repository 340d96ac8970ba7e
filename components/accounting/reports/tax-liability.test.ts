import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { parseAmount } from '@steward/kernel';
import { sql } from '@steward/sql';
import { voidDocument } from '../documents/void.ts';
import { issued, newParty } from '../fixtures/documents.ts';
import { createWorld, type World } from '../fixtures/world.ts';
import { setRate } from '../rates/set.ts';
import { createTax } from '../taxes/create.ts';
import { profitAndLoss } from './statements.ts';
import { taxLiability } from './tax-liability.ts';

describe('tax liability', () => {
  let world: World;
  before(async () => {
    world = await createWorld();
  });
  after(async () => world[Symbol.asyncDispose]());

  test('counts sales and purchases by rate in the base currency, less credits, without what was voided', async () => {
    const books = await world.tenant();
    await setRate(books, { currency: 'USD', day: '2026-01-01', rate: '0.5' });
    const vat = (await createTax(books, { name: 'VAT 20', percentage: '20' })).id;
    const party = await newParty(books, { name: 'Both' });
    const document = async (
      kind: 'invoice' | 'credit_note' | 'bill',
      unitPrice: string,
      issueDate: string,
      currency = 'EUR',
    ) =>
      issued(books, party, '', {
        kind,
        issueDate,
        currency,
        ...(kind === 'bill' ? { supplierNumber: `${issueDate}-${unitPrice}` } : {}),
        lines: [{ description: 'x', quantity: '1', unitPrice, account: kind === 'bill' ? '6100' : '4000', taxId: vat }],
      });
    await document('invoice', '1000', '2026-03-05');
    await document('invoice', '100', '2026-03-06', 'USD');
    await document('credit_note', '50', '2026-03-07');
    await document('bill', '300', '2026-03-08');
    await document('invoice', '999', '2026-04-01');
    const gone = await document('invoice', '77', '2026-03-09');
    await voidDocument(books, { id: gone.id, version: gone.version, date: '2026-03-10' });
    const { rows, untaxed, due } = await taxLiability(books, { from: '2026-03-01', to: '2026-03-31' });
    assert.deepEqual(
      rows.map((row) => [
        row.name,
        row.percentage,
        row.salesNet.amount,
        row.salesTax.amount,
        row.purchasesNet.amount,
        row.purchasesTax.amount,
      ]),
      [['VAT 20', '20', '1000.00', '200.00', '300.00', '60.00']],
    );
    assert.equal(due.amount, '140.00');
    assert.deepEqual([untaxed.salesNet.amount, untaxed.purchasesNet.amount], ['0.00', '0.00']);
    assert.deepEqual((await taxLiability(books, { from: '2020-01-01', to: '2020-12-31' })).rows, []);
  });

  test('with what had no tax is all that was sold and bought, as the income statement has it', async () => {
    const books = await world.tenant();
    await setRate(books, { currency: 'USD', day: '2026-01-01', rate: '0.333333' });
    const taxId = (await createTax(books, { name: 'VAT 19', percentage: '19' })).id;
    const party = await newParty(books, { name: 'Both' });
    const line = (unitPrice: string, taxed: boolean, account = '4000') => ({
      description: 'x',
      quantity: '1',
      unitPrice,
      account,
      ...(taxed ? { taxId } : {}),
    });
    const month = { issueDate: '2026-03-05' };
    await issued(books, party, '', { ...month, lines: [line('33.33', true), line('66.67', false)] });
    await issued(books, party, '', { ...month, currency: 'USD', lines: [line('10.01', false), line('20.02', true)] });
    await issued(books, party, '', { ...month, kind: 'credit_note', lines: [line('6.67', false)] });
    await issued(books, party, '', {
      ...month,
      kind: 'bill',
      lines: [line('40.00', false, '6100'), line('2.00', true, '6100')],
    });
    const gone = await issued(books, party, '', { ...month, lines: [line('5.00', false)] });
    await voidDocument(books, { id: gone.id, version: gone.version, date: '2026-04-01' });
    const span = { from: '2026-03-01', to: '2026-03-31' };
    const { rows, untaxed, comparedUntaxed } = await taxLiability(books, span);
    assert.deepEqual([untaxed.salesNet.amount, untaxed.purchasesNet.amount, comparedUntaxed], ['68.34', '40.00', null]);
    const cents = (text: string | undefined): bigint => parseAmount(text ?? '', 'EUR') ?? 0n;
    const { sections } = await profitAndLoss(books, span);
    const sold = sections.find(({ title }) => title === 'Income')?.total.amount;
    assert.equal(cents(rows[0]?.salesNet.amount) + cents(untaxed.salesNet.amount), cents(sold));
    const later = await taxLiability(books, {
      from: '2026-04-01',
      to: '2026-04-30',
      compareFrom: span.from,
      compareTo: span.to,
    });
    assert.deepEqual([later.untaxed.salesNet.amount, later.comparedUntaxed], ['-5.00', untaxed]);
    const cash = await taxLiability(books, { ...span, basis: 'cash' });
    assert.equal(cash.untaxed.salesNet.amount, '0.00', 'nothing is paid');
  });

  test('keeps a month as it was reported: what is voided later is taken off in the month of the void', async () => {
    const books = await world.tenant();
    const vat = (await createTax(books, { name: 'VAT 20', percentage: '20' })).id;
    const party = await newParty(books, { name: 'Both' });
    const lines = [{ description: 'x', quantity: '1', unitPrice: '100', account: '4000', taxId: vat }];
    const invoice = await issued(books, party, '', { issueDate: '2026-03-05', lines });
    const of = async (month: string, last: string) => {
      const { rows, due } = await taxLiability(books, { from: `${month}-01`, to: `${month}-${last}` });
      return [rows[0]?.salesNet.amount, rows[0]?.salesTax.amount, due.amount];
    };
    const march = await of('2026-03', '31');
    await voidDocument(books, { id: invoice.id, version: invoice.version, date: '2026-05-02' });
    assert.deepEqual(march, ['100.00', '20.00', '20.00']);
    assert.deepEqual(await of('2026-03', '31'), march);
    assert.deepEqual(await of('2026-04', '30'), [undefined, undefined, '0.00']);
    assert.deepEqual(await of('2026-05', '31'), ['-100.00', '-20.00', '-20.00']);
    assert.equal((await taxLiability(books, { from: '2026-01-01', to: '2026-12-31' })).due.amount, '0.00');
  });

  test('says what the accounts of taxes say, to the unit, of any foreign documents, months and voids', async () => {
    // Repeatable: a small generator, not the clock's.
    let seed = 20260302;
    const below = (most: number): number => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return Math.floor((seed / 2_147_483_648) * most);
    };
    const runs = Number(process.env['PROPERTY_RUNS'] ?? 120);
    const tenants = await Promise.all(
      Array.from({ length: 4 }, async () => {
        const books = await world.tenant();
        for (const [currency, rate] of [
          ['USD', '0.923456789'],
          ['JPY', '0.006123'],
          ['KWD', '3.01234567'],
        ] as const)
          await setRate(books, { currency, day: '2026-01-01', rate });
        const taxes = [];
        for (const percentage of ['20', '7', '5.5', '19.6'])
          taxes.push((await createTax(books, { name: `VAT ${percentage}`, percentage })).id);
        return { books, taxes, party: await newParty(books, { name: 'Anybody' }) };
      }),
    );
    const make = async ({ books, taxes, party }: (typeof tenants)[number], count: number): Promise<void> => {
      for (let index = 0; index < count; index += 1) {
        const kind = (['invoice', 'bill', 'credit_note', 'supplier_credit'] as const)[below(4)] ?? 'invoice';
        const day = `2026-0${3 + below(3)}-1${below(9)}`;
        const lines = Array.from({ length: 1 + below(7) }, (_, line) => ({
          description: 'x',
          quantity: `${1 + below(9)}`,
          unitPrice: `${line > 0 && below(5) === 0 ? '-' : ''}${below(line === 0 ? 900 : 90) + (line === 0 ? 800 : 0)}.${below(90) + 10}`,
          account: kind === 'bill' || kind === 'supplier_credit' ? '6100' : '4000',
          taxId: below(6) === 0 ? undefined : taxes[below(4)],
        }));
        const pricing = below(2) === 0 ? 'inclusive' : 'exclusive';
        const currency = ['USD', 'JPY', 'KWD', 'EUR'][below(4)];
        const supplierNumber = kind === 'bill' || kind === 'supplier_credit' ? `S-${index}` : undefined;
        const document = await issued(books, party, '', {
          kind,
          issueDate: day,
          currency,
          pricing,
          supplierNumber,
          lines,
        }).catch((cause: unknown) => {
          // The total of a random document may lie below zero, which is refused.
          if ((cause as { code?: string }).code !== 'nothing_to_issue') throw cause;
          return undefined;
        });
        if (document !== undefined && below(6) === 0)
          await voidDocument(books, { id: document.id, version: document.version, date: `2026-0${5 + below(3)}-28` });
      }
    };
    await Promise.all(tenants.map(async (one) => make(one, Math.ceil(runs / tenants.length))));
    for (const { books } of tenants)
      for (const month of ['03', '04', '05', '06', '07']) {
        const span = { from: `2026-${month}-01`, to: `2026-${month}-28` };
        const [account] = await world.admin.query<{ due: bigint }>(sql`
          select coalesce(sum(case when a.account_id = p.credit_account_id then p.base_amount else -p.base_amount end), 0)::bigint as due
          from (select distinct tenant_id, unnest(array[sales_account_id, purchase_account_id]) as account_id from accounting.tax) a
          join accounting.posting p on p.tenant_id = a.tenant_id and a.account_id in (p.debit_account_id, p.credit_account_id)
          where a.tenant_id = ${books.tenant}::uuid and p.posting_date between ${span.from}::date and ${span.to}::date`);
        const { due, rows } = await taxLiability(books, span);
        assert.equal(parseAmount(due.amount, 'EUR'), account?.due, month);
        assert.ok(rows.length > 0 || month > '05');
      }
  });
});
