import assert from 'node:assert/strict';
import { test } from 'node:test';
import { totalsOf } from './totals.ts';

const line = (quantity: string, unitPrice: string, percentage = '') => ({ quantity, unitPrice, percentage });

test('tax is added to prices without it, line by line', () => {
  const totals = totalsOf([line('3', '0.335', '19'), line('1', '10', '7')], 'EUR', 'exclusive');
  assert.deepEqual(totals, { net: '11.01', tax: '0.89', total: '11.90' });
});

test('tax is taken out of prices with it', () => {
  assert.deepEqual(totalsOf([line('1', '37.00', '19')], 'EUR', 'inclusive'), {
    net: '31.09',
    tax: '5.91',
    total: '37.00',
  });
});

test('a currency without minor units has none', () => {
  assert.deepEqual(totalsOf([line('1', '1000', '10')], 'JPY', 'exclusive'), { net: '1000', tax: '100', total: '1100' });
});

test('what is half typed has no total', () => {
  assert.equal(totalsOf([line('1', '')], 'EUR', 'exclusive'), undefined);
});
