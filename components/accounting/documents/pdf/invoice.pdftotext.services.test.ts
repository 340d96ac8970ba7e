import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { describe, test } from 'node:test';
import { sampleDocument } from '../../fixtures/sample-document.ts';
import { renderPdf } from './render.ts';

function read(pdf: Buffer): string {
  const { status, stdout, stderr } = spawnSync(process.env['PDFTOTEXT_PATH'] ?? '', ['-layout', '-', '-'], {
    input: pdf,
  });
  assert.equal(status, 0, stderr.toString());
  assert.equal(stderr.toString(), '', 'a reader has nothing to complain of');
  return stdout.toString();
}

describe('pdftotext', () => {
  test('reads an invoice as a person does', async () => {
    const text = read(await renderPdf({ document: sampleDocument(), seller: 'Fjord Bikes' }));
    for (const expected of [
      /Fjord Bikes\s+Invoice/,
      /Kaivokatu 1\b/,
      /00100 Helsinki\b/,
      /VAT no\. FI12345678\b/,
      /Business ID 1234567-8, Helsinki/,
      /Number\s+INV-00042/,
      /Date\s+2026-03-02/,
      /Due\s+2026-04-01/,
      /Reference\s+PO 7/,
      /To\n\s*Ada Lovelace\n\s*12 St James’s Square\n\s*London SW1Y 4JH\n\s*VAT no\. GB 123 4567 89\n/,
      /Chairs\s+3\s+33\.33\s+19 %\s+99\.99/,
      /Books\s+2\s+4\.99\s+7 ?%\s+9\.98/,
      /Net\s+109\.97/,
      /VAT 19 \(19 % of 99\.99\)\s+19\.00/,
      /VAT 7 \(7 % of 9\.98\)\s+0\.70/,
      /Total EUR\s+129\.67/,
      /Pay to\n\s*IBAN FI21 1234 5600 0007 85\n\s*BIC NDEAFIHH\n/,
      /Thank you\./,
      /Page 1 of 1/,
    ])
      assert.match(text, expected);
  });

  test('reads ten lines of each, in their order and before what was sold', async () => {
    const of = (who: string): string =>
      Array.from({ length: 10 }, (_each, line) => `${who} line ${line} ${'of a long street '.repeat(2)}`.trim()).join(
        '\n',
      );
    const document = sampleDocument({
      seller: {
        name: 'Fjord',
        address: of('Seller'),
        vatNumber: 'FI12345678',
        registration: 'r'.repeat(200),
        paymentDetails: of('Bank'),
        language: 'en',
      },
      buyer: { name: 'Ada '.repeat(40).trim(), address: of('Buyer'), vatNumber: 'GB 123 4567 89' },
    });
    const text = read(await renderPdf({ document, seller: 'Fjord' }));
    const places = [
      ...of('Seller').split('\n'),
      'VAT no. FI12345678',
      'To\n',
      ...of('Buyer').split('\n'),
      'VAT no. GB 123 4567 89',
      'Description',
      'Chairs',
      'Total EUR',
      'Pay to',
      ...of('Bank').split('\n'),
      'Page 1 of 1',
    ].map((one) => text.indexOf(one));
    assert.ok(!places.includes(-1), text);
    assert.deepEqual(
      places,
      places.toSorted((a, b) => a - b),
    );
  });

  test('reads markup as it was written, and nothing that turns letters round', async () => {
    const buyer = { name: '<b>Ada</b>', address: '<script>1</script>\n\u202Etxt.exe %PDF (1) \\', vatNumber: null };
    const text = read(await renderPdf({ document: sampleDocument({ buyer }), seller: 'Fjord' }));
    for (const expected of ['<b>Ada</b>', '<script>1</script>', 'txt.exe %PDF (1) \\'])
      assert.ok(text.includes(expected));
    assert.ok(!text.includes('\u202E'));
  });

  test('reads names in other scripts, and the code points of those no font has', async () => {
    for (const [name, expected] of [
      ['Łódź Spółka', 'Łódź Spółka'],
      ['Ελλάδα ΑΕ', 'Ελλάδα ΑΕ'],
      ['ООО Ромашка', 'ООО Ромашка'],
      ['東京都の自転車屋 株式会社 é', '東京都の自転車屋 株式会社 é'],
      ['서울 GmbH', '[U+C11C][U+C6B8] GmbH'],
    ] as const)
      assert.ok(
        read(
          await renderPdf({
            document: sampleDocument({ buyer: { name, address: name, vatNumber: null } }),
            seller: 'Fjord',
          }),
        ).includes(expected),
        name,
      );
  });

  test('reads every line of a long one, with its page', async () => {
    const [line] = sampleDocument().lines;
    assert.ok(line !== undefined);
    const lines = Array.from({ length: 120 }, (_each, index) => ({
      ...line,
      description: `Item ${index + 1}!\nmore of it`,
    }));
    const text = read(await renderPdf({ document: sampleDocument({ lines, pricing: 'inclusive' }), seller: 'Fjord' }));
    for (let number = 1; number <= 120; number += 1)
      assert.match(text, new RegExp(`Item ${number}!\\s+3\\s+33\\.33\\s+19 %\\s+118\\.99`));
    const pages = Number(/Page 1 of (\d+)/.exec(text)?.[1]);
    assert.ok(pages > 3 && pages < 9, `${pages} pages`);
    assert.equal(text.match(/Description\s+Quantity/g)?.length, pages - (/\f\s+Net/.test(text) ? 1 : 0));
  });

  test('reads it in the language of the seller, with days and amounts as that writes them', async () => {
    const { seller } = sampleDocument();
    assert.ok(seller !== null);
    const of = (language: 'de' | 'es' | 'ja', changes = {}) =>
      renderPdf({ document: sampleDocument({ seller: { ...seller, language }, ...changes }), seller: 'Fjord Bikes' });
    const german = read(await of('de'));
    for (const expected of [
      /Fjord Bikes\s+Rechnung/,
      /Nummer\s+INV-00042/,
      /Datum\s+02\.03\.2026/,
      /Fällig am\s+01\.04\.2026/,
      /USt-IdNr\. FI12345678\b/,
      /Chairs\s+3\s+33,33\s+19 %\s+99,99/,
      /VAT 7 \(7 % von 9,98\)\s+0,70/,
      /Gesamt EUR\s+129,67/,
      /Zahlbar an\n\s*IBAN FI21 1234 5600 0007 85/,
      /Seite 1 von 1/,
    ])
      assert.match(german, expected);
    assert.doesNotMatch(german, /Invoice|Due|Pay to|Total|VAT no|129\.67/);
    assert.match(
      read(await of('de', { kind: 'credit_note', status: 'void' })),
      /Rechnungskorrektur\n[^]*\(storniert\)/,
    );
    assert.match(read(await of('es')), /Vencimiento\s+01\/04\/2026[^]*Total EUR\s+129,67/);
    assert.match(read(await of('ja')), /お支払期限\s+2026年4月1日[^]*合計 EUR\s+129\.67/);
  });

  test('finds a draft and a void one marked', async () => {
    const draft = sampleDocument({ status: 'draft', number: null, issuedAt: null });
    assert.match(read(await renderPdf({ document: draft, seller: 'Fjord' })), /Number\s+Draft/);
    const gone = sampleDocument({ status: 'void', kind: 'credit_note' });
    assert.match(read(await renderPdf({ document: gone, seller: 'Fjord' })), /Credit note \(void\)/);
    const { id: credits, total } = sampleDocument();
    const none = { amount: '0.00', currency: 'EUR' };
    const credited = { id: credits, number: 'INV-00041', total, issued: none, drafts: none };
    const credit = sampleDocument({ kind: 'credit_note', number: 'CN-00001', credits, credited });
    assert.match(read(await renderPdf({ document: credit, seller: 'Fjord' })), /Of invoice\s+INV-00041/);
    const invoice = sampleDocument({ credited });
    assert.doesNotMatch(read(await renderPdf({ document: invoice, seller: 'Fjord' })), /Of invoice/);
  });
});
