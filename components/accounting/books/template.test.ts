import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chartOf, templateOf, type TemplateName } from './template.ts';

const templates: TemplateName[] = ['general', 'retail', 'services', 'nonprofit'];
/** What the platform posts to by itself; a chart without one of them could not keep books. */
const controls = [
  'bank',
  'receivable',
  'payable',
  'sales',
  'cost_of_sales',
  'retained_earnings',
  'owner_equity',
  'tax_payable',
  'exchange_difference',
  'undeposited',
];

test('every template has every control account exactly once, and no code twice', () => {
  for (const template of templates) {
    for (const currency of ['USD', 'EUR', 'JPY', 'AUD']) {
      const chart = chartOf(template, currency);
      assert.equal(new Set(chart.map(({ code }) => code)).size, chart.length, `${template}: a code stands twice`);
      const found = chart.flatMap(({ control }) => control ?? []);
      assert.equal(new Set(found).size, found.length, `${template}: a control account stands twice`);
      for (const control of controls) assert.ok(found.includes(control), `${template} in ${currency} lacks ${control}`);
    }
  }
});

test('codes follow the custom: assets 1, liabilities 2, equity 3, income 4, expenses 5 and 6', () => {
  const digits = { asset: '1', liability: '2', equity: '3', income: '4', expense: '56' };
  for (const template of templates) {
    for (const { code, name, type } of chartOf(template, 'EUR'))
      assert.ok(digits[type].includes(code[0] ?? ''), `${template}: ${code} ${name} is ${type}`);
  }
});

test('taxes are called what the currency’s businesses call them, and sales tax is not recovered', () => {
  const taxes = (currency: string): string[] =>
    chartOf('general', currency)
      .filter(({ control }) => control?.startsWith('tax') ?? false)
      .map(({ name }) => name);
  assert.deepEqual(taxes('USD'), ['Sales tax payable']);
  assert.deepEqual(taxes('EUR'), ['VAT recoverable', 'VAT payable']);
  assert.deepEqual(taxes('AUD'), ['GST recoverable', 'GST payable']);
});

test('a persona of one’s own gets the general chart, and so does a name that only looks like a template', () => {
  assert.equal(templateOf('food truck'), 'general');
  assert.equal(templateOf('constructor'), 'general');
  assert.equal(templateOf('retail'), 'retail');
});
