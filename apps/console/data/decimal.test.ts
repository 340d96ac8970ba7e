import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  amountIn,
  amountTyped,
  completed,
  difference,
  digitsOf,
  hasComma,
  divided,
  millionths,
  minor,
  negated,
  sum,
} from './decimal.ts';

test('amounts that no number holds are added to the last digit', () => {
  assert.equal(sum('90071992547409931.01', '0.02', '-0.03'), '90071992547409931.00');
  assert.equal(difference('0.10', '0.30'), '-0.20');
  assert.equal(negated('-7'), '7');
});

test('halves are rounded away from zero, as documents are', () => {
  assert.equal(divided(5n, 10n), 1n);
  assert.equal(divided(-5n, 10n), -1n);
  assert.equal(divided(14n, 10n), 1n);
});

test('a factor with more digits than a document takes is none', () => {
  assert.equal(millionths('1.5'), 1_500_000n);
  assert.equal(millionths('0.0000001'), undefined);
  assert.equal(millionths('1,5'), undefined);
  assert.equal(minor(-5n, 2), '-0.05');
});

test('currencies have the digits that they have', () => {
  assert.deepEqual(['JPY', 'EUR', 'KWD'].map(digitsOf), [0, 2, 3]);
});

test('an amount is read as it is written where somebody lives, and what may be two amounts is neither', () => {
  for (const [text, locale, amount] of [
    ['1.234,56', 'de', '1234.56'],
    ['1.234,56', 'es', '1234.56'],
    ['1.234,56', 'en', '1234.56'],
    ['1,234.56', 'en', '1234.56'],
    ['1,234.56', 'de', '1234.56'],
    ['1,5', 'en', '1.5'],
    ['1.5', 'de', '1.5'],
    ['1,234', 'de', '1.234'],
    ['1.234', 'ja', '1.234'],
    ['1.234.567', 'de', '1234567'],
    ['-12\u00A0345,60', 'de', '-12345.60'],
    ['1’234.50', 'de-CH', '1234.50'],
    ['85', 'de', '85'],
  ] as const)
    assert.deepEqual(amountTyped(text, hasComma(locale)), { amount }, `${text} in ${locale}`);
  assert.deepEqual(amountTyped('1.234', hasComma('de')), { either: ['1234', '1.234'] });
  assert.deepEqual(amountTyped('1,234', hasComma('en')), { either: ['1234', '1.234'] });
  for (const text of ['', 'x', '1.2.3', '1,23.45', '1,2,3', '12,34.567,8', '.', ',5', '1'.repeat(10_000)])
    assert.equal(amountTyped(text, true), undefined, text.slice(0, 20));
});

test('an amount counts while it is typed, and what may be two amounts counts once its field is left', () => {
  assert.equal(amountIn('282,41', hasComma('de')), '282.41');
  assert.equal(amountIn('1.282,41', hasComma('de')), '1282.41');
  assert.equal(amountIn('1,234', hasComma('en')), undefined);
  assert.equal(amountIn('1.234', hasComma('de')), '1.234', 'as fields hold what was read');
  for (const text of ['', '12,', 'x']) assert.equal(amountIn(text, true), undefined);
});

test('an amount that was typed gets the digits that its currency has, and loses none', () => {
  for (const [typed, currency, amount] of [
    ['50', 'EUR', '50.00'],
    ['50.5', 'EUR', '50.50'],
    ['-7', 'EUR', '-7.00'],
    ['50.005', 'EUR', '50.005'],
    ['50', 'JPY', '50'],
    ['1', 'KWD', '1.000'],
    ['50', undefined, '50'],
    ['50', '', '50'],
  ] as const)
    assert.equal(completed(typed, currency), amount);
});
