import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, test } from 'node:test';
import { sampleDocument } from '../../fixtures/sample-document.ts';
import { isWinAnsi, named, printable } from './letters.ts';
import { renderPdf } from './render.ts';

const sha = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

describe('an invoice as PDF', () => {
  test('is the same bytes each time', async () => {
    for (const partyName of ['Ada Lovelace', 'Ἀθηνᾶ Ελευθερία', '東京 📎', '서울']) {
      const sheet = {
        document: sampleDocument({ buyer: { name: partyName, address: null, vatNumber: null } }),
        seller: 'Fjord Bikes',
      };
      const first = await renderPdf(sheet);
      await new Promise((resolve) => setTimeout(resolve, 5));
      assert.equal(sha(await renderPdf(sheet)), sha(first));
      assert.equal(first.toString('latin1', 0, 5), '%PDF-');
    }
  });

  test('takes any text, whatever its letters and its length', async () => {
    const line = sampleDocument().lines[0];
    assert.ok(line !== undefined);
    for (const text of [
      '\u0000\u202Etxt.exe',
      'a\uD800b',
      'مرحبا بالعالم',
      'שלום',
      'नमस्ते',
      '👩‍👩‍👧‍👦',
      'x'.repeat(1000),
      'wörd '.repeat(200),
    ]) {
      const lines = Array.from({ length: 40 }, () => ({ ...line, description: text }));
      const bytes = await renderPdf({
        document: sampleDocument({
          lines,
          notes: text,
          seller: {
            name: text,
            address: text,
            vatNumber: text,
            registration: text,
            paymentDetails: text,
            language: 'en',
          },
          buyer: { name: text, address: text, vatNumber: text },
        }),
        seller: text,
      });
      assert.ok(bytes.length > 1000, text.slice(0, 20));
    }
  });

  test('names letters that no font has, and drops what nobody sees', () => {
    assert.equal(
      named('東a\n', (code) => code < 128),
      '[U+6771]a\n',
    );
    assert.equal(printable('e\u0301\r\n\u202Ea\u0007\tb'), 'é\na b');
    assert.ok(isWinAnsi(['Œuvre – 5 €']) && !isWinAnsi(['Łódź']));
  });
});
