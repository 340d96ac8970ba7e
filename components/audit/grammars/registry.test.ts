import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { describe, test } from 'node:test';
import { canonical } from '../chain/canonical.ts';
import { foundation } from './foundation.ts';
import type { Grammar } from './grammar.ts';
import { createRegistry } from './registry.ts';

const schema = (required: string) => ({ type: 'object', properties: { [required]: {} }, required: [required] });

describe('the grammar registry', () => {
  test('holds a type to its own schema of that major version, else a pattern, the longest first, else the base', () => {
    const registry = createRegistry([
      { name: 'shop', events: [{ types: 'shop.**', major: 1, schema: schema('any') }] },
      {
        name: 'shop',
        events: [
          { types: 'shop.order.*', major: 1, schema: schema('order') },
          { types: 'shop.order.paid', major: 1, schema: schema('paid') },
          { types: 'shop.order.paid', major: 2, schema: schema('paid_at') },
        ],
      },
    ]);
    const lacking = (type: string, version: string): string =>
      registry.resolve('shop', type, version)?.check({})[0]?.pointer ?? 'nothing';
    assert.equal(lacking('shop.order.paid', '1.4.0'), '/payload/paid');
    assert.equal(lacking('shop.order.paid', '2.0.0-rc.1'), '/payload/paid_at');
    assert.equal(lacking('shop.order.sent', '1.0.0'), '/payload/order');
    assert.equal(lacking('shop.cart.filled.twice', '1.0.0'), '/payload/any');
    assert.equal(lacking('shop.order.paid', '3.0.0'), 'nothing');
    assert.equal(lacking('domain.entity.action', '1.0.0'), 'nothing');
    assert.equal(registry.resolve('other', 'shop.order.paid', '1.0.0'), undefined);
  });

  test('gives each schema the digest of its canonical text', () => {
    const registry = createRegistry([{ name: 'shop', events: [{ types: 'shop.a.b', major: 1, schema: schema('x') }] }]);
    assert.equal(registry.resolve('shop', 'shop.a.b', '1.0.0')?.digest, hash('sha256', canonical(schema('x'))));
    assert.notEqual(
      registry.resolve('shop', 'shop.a.c', '1.0.0')?.digest,
      registry.resolve('shop', 'shop.a.b', '1.0.0')?.digest,
    );
  });

  test('reserves what components record themselves, unless it is open', () => {
    const registry = createRegistry([
      ...foundation,
      {
        name: 'commerce',
        events: [
          { types: 'commerce.storefront.form.submitted', major: 1, schema: schema('x') },
          { types: 'commerce.stock.counted', major: 1, schema: schema('x'), open: true },
        ],
      },
    ]);
    for (const type of [
      'commerce.storefront.form.submitted',
      'COMMERCE.storefront.form.submitted',
      'portal.a',
      'audit.x.y',
      'ｔools.x',
      'ıdentity.login'.replace('ı', 'I'),
    ])
      assert.ok(registry.isReserved(type), type);
    for (const type of [
      'commerce.order.imported',
      'commerce.stock.counted',
      'portalx.a',
      'accounting.invoice.issued',
      'domain.entity.action',
    ])
      assert.ok(!registry.isReserved(type), type);
  });

  test('refuses two schemas for one type and version at start, and an unsound schema whenever it is asked', () => {
    const twice = { types: 'a.b', major: 1, schema: schema('x') };
    assert.throws(() => createRegistry([{ name: 'a', events: [twice, twice] }]), /two schemas for a\.b 1\.x/);
    const unsound = { name: 'a', events: [{ ...twice, schema: { type: 'object', minProperties: 'one' } }] };
    const asked = (grammar: Grammar) => createRegistry([grammar]).resolve('a', 'a.b', '1.0.0')?.check({});
    for (const time of ['first', 'second']) assert.throws(() => asked(unsound), /minProperties/, time);
    assert.throws(() => asked({ name: 'a', events: [{ ...twice, schema: { type: 'objekt' } }] }));
  });

  test('lets two schemas of one $id stand beside one another', () => {
    const of = (major: number) => ({
      types: 'a.b',
      major,
      schema: { $id: 'https://example.com/a', ...schema(`v${major}`) },
    });
    const registry = createRegistry([{ name: 'a', events: [of(1), of(2)] }]);
    assert.equal(registry.resolve('a', 'a.b', '2.0.0')?.check({ v1: 1 })[0]?.pointer, '/payload/v2');
  });
});
