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
      /Number\s+INV-00042/,
      /Date\s+2026-03-02/,
      /Due\s+2026-04-01/,
      /Reference\s+PO 7/,
      /Ada Lovelace/,
      /Chairs\s+3\s+33\.33\s+19 %\s+99\.99/,
      /Books\s+2\s+4\.99\s+7 ?%\s+9\.98/,
      /Net\s+109\.97/,
      /VAT 19 \(19 % of 99\.99\)\s+19\.00/,
      /VAT 7 \(7 % of 9\.98\)\s+0\.70/,
      /Total EUR\s+129\.67/,
      /Thank you\./,
      /Page 1 of 1/,
    ])
      assert.match(text, expected);
  });

  test('reads names in other scripts, and the code points of those no font has', async () => {
    for (const [name, expected] of [
      ['Łódź Spółka', 'Łódź Spółka'],
      ['Ελλάδα ΑΕ', 'Ελλάδα ΑΕ'],
      ['ООО Ромашка', 'ООО Ромашка'],
      ['東京 GmbH', '[U+6771][U+4EAC] GmbH'],
    ] as const)
      assert.ok(
        read(await renderPdf({ document: sampleDocument({ partyName: name }), seller: 'Fjord' })).includes(expected),
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

  test('finds a draft and a void one marked', async () => {
    const draft = sampleDocument({ status: 'draft', number: null, issuedAt: null });
    assert.match(read(await renderPdf({ document: draft, seller: 'Fjord' })), /Number\s+Draft/);
    const gone = sampleDocument({ status: 'void', kind: 'credit_note' });
    assert.match(read(await renderPdf({ document: gone, seller: 'Fjord' })), /Credit note \(void\)/);
  });
});
