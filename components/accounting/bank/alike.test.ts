import assert from 'node:assert/strict';
import { test } from 'node:test';
import { numberOf } from '../documents/kind.ts';
import { type About, likenessTo, namedIn, referencesIn } from './alike.ts';

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
  const invoice = (number: bigint) => [{ kind: 'invoice', number, supplierNumber: null, reference: null }] as const;
  const bill = (supplierNumber: string) => [{ kind: 'bill', number: 4n, supplierNumber, reference: null }] as const;
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
  const family = likenessTo('Anna Größe · 1002')(payment({ party: 'Jürgen Größe' }));
  assert.deepEqual([family.name, family.named], [0.5, ['grosse']], 'a name of which the line says a part');
  const words = (text: string, narration: string) =>
    likenessTo(text)({ narration, party: null, reference: null, settles: [] }).words;
  assert.deepEqual(words('STRIPE FEES March 00002', 'Stripe fees, INV-00002, 00002'), ['stripe', 'fees']);
  assert.deepEqual(words('Mandate 4711223', 'Mandate no 4711223'), ['mandate', '4711223']);
});

test('a line quotes the number of an order as a word of its own, and not by digits of anything else', () => {
  const order = (reference: string): About => ({
    narration: '',
    party: 'Ada Lovelace',
    reference: null,
    settles: [{ kind: 'invoice', number: 4n, supplierNumber: null, reference }],
  });
  for (const [text, reference, ...numbers] of [
    ['Bestellung 1002', '1002', '1002'],
    ['Bestellung Nr.1002, danke', '1002', '1002'],
    ['Order #1002 | Byron', '1002', '1002'],
    ['1001, 1002', '1002', '1002'],
    ['1001,1002', '1001', '1001'],
    ['1002 DE89 3704 0044 0532 0130 00', '1002', '1002'],
    ['AT61 1904 3002 3457 3201 1002', '1002', '1002'],
    ['2 Bestellung 2026', '2026', '2026'],
    // Digits of something else.
    ['DE89370400440532013000', '3704'],
    ['DE89 3704 0044 0532 0130 00', '3704'],
    ['de89 3704 0044 0532 0130 00 Bestellung', '3704'],
    ['Karte 5555 4444 1002 9', '1002'],
    ['30.11.2026', '2026'],
    ['2026-11-30', '2026'],
    ['30 November 2026', '2026'],
    ['Miete Dez. 2026', '2026'],
    ['1002,00', '1002'],
    ['1002.00 EUR', '1002'],
    ['EUR 1002', '1002'],
    ['1002 EUR', '1002'],
    ['10021', '1002'],
    ['ORD1002', '1002'],
    ['1002-7', '1002'],
    ['A-1002', '1002'],
  ] as const)
    assert.deepEqual(likenessTo(text)(order(reference)).numbers, numbers, text);
  const weak = (text: string, about: About) => likenessTo(text)(about).weak;
  assert.deepEqual(
    [
      weak('Bestellung 1002', order('1002')),
      weak('Bestellung S-1002', order('S-1002')),
      weak('Bestellung 10020030', order('10020030')),
      weak('INV-4 and 1002', order('1002')),
    ],
    [true, false, false, false],
  );
  assert.deepEqual(referencesIn('Bestellung 1002, PO-77/3. (DE89 3704 0044 0532 0130 00) #A12'), ['1002', 'po-77/3']);
});

test('a line of nothing but parts is held against any number of references of nothing but parts', () => {
  const like = likenessTo('a1'.repeat(1500));
  const settles = Array.from({ length: 100 }, (_, at) => ({
    kind: 'bill' as const,
    number: BigInt(at),
    supplierNumber: `${'a1'.repeat(24)}b${at}`,
    reference: null,
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
