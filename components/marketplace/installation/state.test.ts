import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { describe, test } from 'node:test';
import { createInstallStates, stateLasts } from './state.ts';

describe('the state of an installation', () => {
  const secret = Buffer.alloc(32, 7);
  const states = createInstallStates(secret);
  const now = 1_795_000_000_000;
  const shop = 'one.myshopify.com';

  test('comes back from the browser and for the shop that it was given for, and in time', () => {
    const { state, cookie } = states.issue(shop, now);
    const good = { shop, state, cookie, now };
    assert.notEqual(states.check(good), undefined);
    assert.deepEqual(states.check(good)?.digest, states.check({ ...good, now: now + 1_000 })?.digest);
    const tenant = '0198c0de-0000-7000-8000-000000000000';
    const led = states.issue(shop, now, tenant);
    assert.equal(states.check({ shop, ...led, now })?.tenant, tenant);
    const other = states.issue(shop, now);
    const wrong = {
      'another shop': { ...good, shop: 'two.myshopify.com' },
      'another state': { ...good, state: other.state },
      'another cookie': { ...good, cookie: other.cookie },
      'no cookie': { ...good, cookie: undefined },
      'an empty cookie': { ...good, cookie: '' },
      'a cookie of another length': { ...good, cookie: `${cookie}A` },
      'a tenant that it was not given for': { ...good, cookie: `${cookie}0198c0de-0000-7000-8000-000000000000` },
      'a longer life': { ...good, cookie: cookie.replace(/\.\d{10}\./, '.9999999999.') },
      'too late': { ...good, now: now + stateLasts * 1000 },
      'a state with more': { ...good, state: `${state}A` },
      'no state': { ...good, state: '' },
    };
    for (const [what, given] of Object.entries(wrong)) assert.equal(states.check(given), undefined, what);
  });

  test('is signed by a key that no other installation has, and that signs nothing else', () => {
    const { state, cookie } = states.issue(shop, now);
    assert.equal(createInstallStates(Buffer.alloc(32, 8)).check({ shop, state, cookie, now }), undefined);
    const until = cookie.split('.')[1];
    const byRoot = createHmac('sha256', secret).update(`${shop}\n${state}\n${until}`).digest('base64url');
    assert.equal(states.check({ shop, state, cookie: `${state}.${until}.${byRoot}.`, now }), undefined);
  });
});
