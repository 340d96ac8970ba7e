import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isAmount, isNegative, isZero, moneyText, sumOf } from './money.ts';

const euros = (amount: string) => ({ amount, currency: 'EUR' });

test('says every digit of an amount that no number holds', () => {
  assert.equal(moneyText(euros('9007199254740993.10'), 'en'), '€9,007,199,254,740,993.10');
  assert.equal(moneyText({ amount: '-1234', currency: 'JPY' }, 'en'), '-¥1,234');
  assert.match(moneyText(euros('1.00'), 'de'), /^1,00\s€$/);
});

test('adds amounts exactly, below zero too', () => {
  assert.deepEqual(sumOf([euros('0.10'), euros('0.20'), euros('-0.30')]), euros('0.00'));
  assert.deepEqual(sumOf([euros('9007199254740993.01'), euros('-0.02')]), euros('9007199254740992.99'));
  assert.deepEqual(sumOf([euros('-0.05'), euros('0.01')]), euros('-0.04'));
  assert.deepEqual(
    sumOf([
      { amount: '5', currency: 'JPY' },
      { amount: '7', currency: 'JPY' },
    ]),
    { amount: '12', currency: 'JPY' },
  );
  assert.equal(sumOf([]), undefined);
});

test('knows nothing from less than nothing', () => {
  assert.ok(isZero('-0.00') && !isNegative('-0.00'));
  assert.ok(isNegative('-0.01') && !isZero('0.01'));
});

test('what an agent wrote is an amount only where the page can say every digit of it', () => {
  for (const amount of ['0', '-0.01', '10440.96', `${'9'.repeat(30)}.99`]) {
    assert.ok(isAmount(euros(amount)), amount);
    assert.equal(moneyText(euros(amount), 'en').replaceAll(/[€,]/g, ''), amount);
  }
  for (const amount of ['', '1e3', '007', '1.', 'NaN', ' 1', '9'.repeat(41), `0.${'1'.repeat(200)}`])
    assert.equal(isAmount(euros(amount)), false, amount);
  for (const currency of ['', 'eur', 'EURO', 'E R']) assert.equal(isAmount({ amount: '1', currency }), false, currency);
});
