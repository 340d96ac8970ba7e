import assert from 'node:assert/strict';
import { generateKeyPairSync, sign } from 'node:crypto';
import { after, before, test } from 'node:test';
import { crc32 } from 'node:zlib';
import { Problem } from '@steward/kernel';
import { certificateOf } from '../fixtures/certificate.ts';
import { colliding } from '../fixtures/collision.ts';
import { arrivedOf, createProviders, now, type World } from '../fixtures/genuine.ts';
import type { Arrived } from './adapter.ts';
import { createGuardedText } from './guarded-text.ts';
import { paypal } from './paypal.ts';

let world: World;
before(async () => {
  world = await createProviders();
});
after(() => world[Symbol.asyncDispose]());

const by = { secret: '', settings: { webhook_id: '5GP028458E2496506' } };
const body = Buffer.from(
  '{"id":"WH-1","event_type":"PAYMENT.CAPTURE.COMPLETED","resource":{"id":"cap-1","amount":{"value":"20.00"}}}',
);
const key = generateKeyPairSync('rsa', { modulusLength: 2_048 });
const day = 86_400_000;
let made = 0;

/** A transmission by a certificate chain that is published under a new name. */
function transmission(chain: string, by_ = key.privateKey): Arrived {
  made += 1;
  const path = `/v1/notifications/certs/CERT-test-${made}`;
  world.pages.set(path, chain);
  const time = new Date(now).toISOString();
  const signed = `id-1|${time}|5GP028458E2496506|${crc32(body)}`;
  return arrivedOf(body, {
    'paypal-transmission-id': 'id-1',
    'paypal-transmission-time': time,
    'paypal-transmission-sig': sign('sha256', Buffer.from(signed), by_).toString('base64'),
    'paypal-cert-url': `${world.url}${path}`,
    'paypal-auth-algo': 'SHA256withRSA',
  });
}

const verdict = async (arrived: Arrived): Promise<boolean | number> => {
  try {
    return await paypal.verify(arrived, by, world.ports);
  } catch (error) {
    assert.ok(error instanceof Problem, String(error));
    return error.status;
  }
};

const certificate = (more: Partial<Parameters<typeof certificateOf>[0]> = {}): string =>
  certificateOf({
    name: 'messageverificationcerts.paypal.com',
    key: key.publicKey,
    issuer: world.authority.name,
    issuerKey: world.authority.key,
    from: now - day,
    to: now + day,
    ...more,
  });

test('a body that was changed under the same CRC-32 is still genuine, so nothing of it is trusted', async () => {
  const genuine = transmission(certificate());
  assert.equal(await verdict(genuine), true);
  const forged = colliding(
    (letters) => body.toString().replace('20.00', '99999.00').replace(/\}$/, `,"pad":"${letters}"}`),
    crc32(body),
  );
  assert.equal((JSON.parse(forged) as { resource: { amount: { value: string } } }).resource.amount.value, '99999.00');
  assert.notEqual(forged, body.toString());
  const arrived = { ...genuine, body: Buffer.from(forged) };
  assert.equal(await verdict(arrived), true);
  assert.equal(paypal.coverage, 'none');
  // The claim is by the transmission, so the second body under it conflicts.
  assert.equal(paypal.read(arrived)[0]?.deliveryId, paypal.read(genuine)[0]?.deliveryId);
});

test('the certificate must be PayPal’s by name, valid at the moment, and lead to an authority that is trusted', async () => {
  const between = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  const middle = (authority: boolean, more = {}): string =>
    certificate({ name: 'Steward Test Middle', key: between.publicKey, authority, ...more });
  const under = (more = {}): string =>
    certificate({ issuer: 'Steward Test Middle', issuerKey: between.privateKey, ...more });
  const weak = generateKeyPairSync('rsa', { modulusLength: 1_024 });
  for (const [what, chain, genuine] of [
    ['by the authority itself', certificate(), true],
    ['of the sandbox', certificate({ name: 'messageverificationcerts.sandbox.paypal.com' }), true],
    ['by an authority between', under() + middle(true), true],
    ['with others beside', under() + certificate({ name: 'x.paypal.com' }) + middle(true), true],
    ['without the authority between', under(), false],
    ['by one that is no authority', under() + middle(false), false],
    ['by an authority that is over', under() + middle(true, { from: now - 2 * day, to: now - day }), false],
    ['of somebody else', certificate({ name: 'evil.example' }), false],
    ['of another name of PayPal', certificate({ name: 'www.paypal.com' }), false],
    ['of a longer name', certificate({ name: 'messageverificationcerts.paypal.com.evil.example' }), false],
    ['of any name', certificate({ name: '*.paypal.com' }), false],
    ['over', certificate({ from: now - 2 * day, to: now - day }), false],
    ['not yet', certificate({ from: now + day, to: now + 2 * day }), false],
    ['by itself', certificate({ issuer: 'messageverificationcerts.paypal.com', issuerKey: key.privateKey }), false],
    ['in the name of the authority', certificate({ issuerKey: between.privateKey }), false],
    ['an authority alone', middle(true), false],
    ['no certificate', 'x', false],
    ['half a certificate', certificate().slice(0, 500), false],
    ['nothing', '', false],
    ['too many', under() + certificate({ name: 'x.paypal.com' }).repeat(6) + middle(true), false],
  ] as const)
    assert.equal(await verdict(transmission(chain)), genuine, what);
  assert.equal(await verdict(transmission(certificate({ key: weak.publicKey }), weak.privateKey)), false);
});

test('a certificate is fetched from PayPal’s hosts alone, at their address of certificates', async () => {
  const genuine = transmission(certificate());
  const at = (address: string): Arrived => ({
    ...genuine,
    headers: { ...genuine.headers, 'paypal-cert-url': address },
  });
  world.pages.set('/cert', certificate());
  assert.equal(await verdict(at(`${world.url}/cert`)), false);
  assert.equal(await verdict(at(`${world.url}/v1/notifications/certs/CERT-missing`)), 401);
  assert.equal(await verdict(at('')), false);
  const fetchText = createGuardedText({ loopback: false });
  for (const host of ['evil.example', 'api.paypal.com.evil.example', 'www.paypal.com', 'localhost', '127.0.0.1'])
    await assert.rejects(
      async () => paypal.verify(at(`https://${host}/v1/notifications/certs/CERT-1`), by, { fetchText }),
      (error: unknown) => error instanceof Problem && error.status === 401 && /is not to be had/.test(error.detail),
      host,
    );
});

test('no part of what is signed can take over a part of its neighbour', async () => {
  const genuine = transmission(certificate());
  for (const [header, value] of [
    ['paypal-transmission-id', 'id-1|2026-11-26T12:00:00.000Z'],
    ['paypal-transmission-time', '2026-11-26T12:00:00.000Z|5GP028458E2496506'],
    ['paypal-auth-algo', 'SHA1withRSA'],
  ] as const)
    assert.equal(await verdict({ ...genuine, headers: { ...genuine.headers, [header]: value } }), 400, header);
  assert.equal(await paypal.verify(genuine, { secret: '', settings: {} }, world.ports), false);
});
