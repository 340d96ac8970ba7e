import assert from 'node:assert/strict';
import { test } from 'node:test';
import { numberOf } from '../documents/kind.ts';
import { type About, likenessTo, namedIn } from './alike.ts';

test('a text names documents by prefix and whole digits, however they are written', () => {
  for (const [text, ...expected] of [
    ['INV-00002', 'INV-00002'],
    ['Pays inv 2, INV#0003 and Inv00004', 'INV-00002', 'INV-00003', 'INV-00004'],
    ['/REMI/INV-00002/EREF/NOTPROVIDED', 'INV-00002'],
    ['EREF+INV-00002 SVWZ+thanks', 'INV-00002'],
    ['CN-00012,BILL-7;SC 9 (PAY-00001)', 'CN-00012', 'BILL-00007', 'SC-00009', 'PAY-00001'],
    ['INV-1234567', 'INV-1234567'],
    // Others' numbers, and no numbers.
    ['INV-2026-0002'],
    ['INV-2/3'],
    ['ACME-INV-00002'],
    ['XINV-00002'],
    ['INV-00002a'],
    ['00002'],
    ['Invoice 2'],
    [`INV-${'1'.repeat(19)}`],
    ['INV'],
  ] as const)
    assert.deepEqual(
      namedIn(text).map(({ kind, number }) => numberOf(kind, number)),
      expected,
      text,
    );
});

test('a line and an entry are alike by whole numbers, by the name of a party, and by words', () => {
  const payment = (about: Partial<About>): About => ({
    narration: 'Payment PAY-00002 received',
    party: 'Müller & Söhne GmbH',
    reference: null,
    settles: [],
    ...about,
  });
  const invoice = (number: bigint) => [{ kind: 'invoice', number, supplierNumber: null }] as const;
  const bill = (supplierNumber: string) => [{ kind: 'bill', number: 4n, supplierNumber }] as const;
  for (const [text, about, numbers, other, name] of [
    ['INV-00002', payment({}), [], false, 0],
    ['INV-00002', payment({ settles: invoice(2n) }), ['INV-00002'], false, 0],
    ['inv 2', payment({ settles: invoice(2n) }), ['INV-00002'], false, 0],
    ['INV-00002', payment({ settles: invoice(20n) }), [], true, 0],
    ['INV-00020', payment({ settles: invoice(2n) }), [], true, 0],
    ['PAY-00002', payment({}), ['PAY-00002'], false, 0],
    ['PAY-00003', payment({}), [], true, 0],
    ['00002', payment({ settles: invoice(2n) }), [], false, 0],
    ['Rechnung RE-2026/118', payment({ settles: bill('RE 2026/0118') }), ['RE 2026/0118'], false, 0],
    ['Rechnung RE-2026/118-2', payment({ settles: bill('RE 2026/118') }), [], false, 0],
    ['4711-22', payment({ reference: '4711' }), [], false, 0],
    ['no 4711', payment({ reference: '4711' }), ['4711'], false, 0],
    ['7', payment({ settles: bill('7') }), [], false, 0],
    ['MUELLER SOEHNE', payment({}), [], false, 1],
    ['Muller und Sohne', payment({}), [], false, 1],
    ['Müller AG', payment({}), [], false, 0.5],
    ['Payment received GmbH', payment({}), [], false, 0],
    ['Card The Co.', payment({ party: 'The Co' }), [], false, 1],
  ] as const) {
    const like = likenessTo(text)(about);
    assert.deepEqual([like.numbers, like.other, like.name, like.words], [numbers, other, name, []], text);
  }
  const words = (text: string, narration: string) =>
    likenessTo(text)({ narration, party: null, reference: null, settles: [] }).words;
  assert.deepEqual(words('STRIPE FEES March 00002', 'Stripe fees, INV-00002, 00002'), ['stripe', 'fees']);
  assert.deepEqual(words('Mandate 4711223', 'Mandate no 4711223'), ['mandate', '4711223']);
});

test('a line of nothing but parts is held against any number of references of nothing but parts', () => {
  const like = likenessTo('a1'.repeat(1500));
  const settles = Array.from({ length: 100 }, (_, at) => ({
    kind: 'bill' as const,
    number: BigInt(at),
    supplierNumber: `${'a1'.repeat(24)}b${at}`,
  }));
  for (let entry = 0; entry < 400; entry += 1)
    assert.deepEqual(like({ narration: '', party: null, reference: `${'a1'.repeat(99)}b2`, settles }).numbers, []);
});

test('a reference counts up to 16 parts and 100 characters: longer ones are texts', () => {
  const about = (reference: string): About => ({ narration: '', party: null, reference, settles: [] });
  const parts = (count: number): string => Array.from({ length: count }, (_, at) => 100 + at).join('-');
  for (const [reference, known] of [
    [parts(16), true],
    [parts(17), false],
    ['R'.repeat(100), true],
    ['R'.repeat(101), false],
  ] as const)
    assert.equal(likenessTo(`for ${reference} thanks`)(about(reference)).numbers.length === 1, known, reference);
});
