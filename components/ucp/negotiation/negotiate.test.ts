import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { everything, negotiate, relevant } from './negotiate.ts';
import { capabilitiesOf, names, versions } from './versions.ts';

const offering = (version: string, ...of: string[]) =>
  Object.fromEntries(of.map((name) => [name, [{ version, spec: 'https://a.example', schema: 'https://a.example' }]]));

describe('negotiation', () => {
  test('takes what both sides have in the very version', () => {
    const version = '2026-08-25';
    assert.deepEqual(
      [...negotiate(offering(version, names.checkout, names.order, 'com.example.more'), version)],
      [names.checkout, names.order],
    );
    assert.equal(negotiate(offering('2026-04-08', names.checkout), version).size, 0);
    const several = { [names.checkout]: [{ version: '2026-01-23' }, { version: '2026-04-08' }] };
    assert.deepEqual([...negotiate(several, '2026-04-08')], [names.checkout]);
  });

  test('leaves out extensions of what is not there', () => {
    for (const version of versions) {
      assert.equal(negotiate(offering(version, names.fulfillment, names.discount, names.consent), version).size, 0);
      const cart = negotiate(offering(version, names.cart, names.discount, names.fulfillment), version);
      assert.deepEqual([...cart], [names.cart, names.discount]);
    }
  });

  test('passes over whatever else a profile says', () => {
    for (const odd of [null, 'x', 7, [], [null], [[]], { version: 1 }, { __proto__: { version: '2026-08-25' } }])
      assert.equal(
        negotiate({ [names.checkout]: odd }, '2026-08-25').size,
        odd === null ? 0 : [...negotiate({ [names.checkout]: odd }, '2026-08-25')].length,
      );
    assert.equal(
      negotiate(Object.create({ [names.checkout]: [{ version: '2026-08-25' }] }) as object as never, '2026-08-25').size,
      0,
    );
  });

  test('says in an answer what it is about and what extends that', () => {
    const all = everything('2026-08-25');
    const told = (to: (typeof names)[keyof typeof names]) => relevant(all, to, '2026-08-25').map(({ name }) => name);
    assert.deepEqual(told(names.checkout), [names.checkout, names.discount, names.fulfillment, names.consent]);
    assert.deepEqual(told(names.cart), [names.cart, names.discount, names.consent]);
    assert.deepEqual(told(names.order), [names.order]);
    assert.deepEqual(
      relevant(everything('2026-04-08'), names.cart, '2026-04-08').map(({ name }) => name),
      [names.cart, names.discount],
    );
    assert.equal(capabilitiesOf('2026-04-08').length, 8);
  });
});
