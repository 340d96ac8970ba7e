import assert from 'node:assert/strict';
import { createHash, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, beforeEach, test } from 'node:test';
import { createProviderClient, Problem } from '@steward/kernel';
import { type CompactJWSHeaderParameters, CompactSign, SignJWT, UnsecuredJWT } from 'jose';
import { arrivedOf, now } from '../fixtures/genuine.ts';
import type { Adapter } from './adapter.ts';
import { createPlaidKeys } from './plaid-keys.ts';
import { createPlaid } from './plaid.ts';

const key = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const body = Buffer.from('{"webhook_type":"TRANSACTIONS","webhook_code":"SYNC_UPDATES_AVAILABLE","item_id":"item-1"}');
const ports = { fetchText: () => Promise.reject(new Error('nothing is fetched')) };
const by = { secret: 's-1', settings: { client_id: 'c-1', environment: 'sandbox' } };

/** Plaid's endpoint of keys, on a real port. */
const asked: string[] = [];
const keys = new Map<string, Readonly<Record<string, unknown>>>();
let fault: number | undefined;
let time = 0;
let plaid: Adapter;
const server = createServer((request, response) => {
  void (async () => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const sent = JSON.parse(Buffer.concat(chunks).toString()) as Record<string, string>;
    asked.push(`${request.url} ${sent['key_id']}`);
    const found = keys.get(sent['key_id'] ?? '');
    const answer = (status: number, text: object): void => void response.writeHead(status).end(JSON.stringify(text));
    if (fault !== undefined) answer(fault, {});
    else if (sent['client_id'] !== 'c-1' || sent['secret'] !== 's-1') answer(400, { error_code: 'INVALID_API_KEYS' });
    else if (found === undefined) answer(400, { error_code: 'INVALID_WEBHOOK_VERIFICATION_KEY_ID' });
    else answer(200, { key: found });
  })();
});
before(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
});
after(() => {
  server.closeAllConnections();
  server.close();
});
const quiet = { info: () => undefined, warn: () => undefined };
beforeEach(() => {
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const live = createProviderClient({ name: 'plaid', base: `${base}/live`, log: quiet });
  const sandbox = createProviderClient({ name: 'plaid', base: `${base}/sandbox`, log: quiet });
  plaid = createPlaid(createPlaidKeys({ live, sandbox }, () => time));
  asked.length = 0;
  keys.clear();
  keys.set('kid-1', published(key.publicKey));
  fault = undefined;
});

const published = (of: KeyObject, more = {}): Readonly<Record<string, unknown>> => ({
  ...of.export({ format: 'jwk' }),
  alg: 'ES256',
  use: 'sig',
  created_at: 1_560_466_143,
  expired_at: null,
  ...more,
});

const claims = { request_body_sha256: createHash('sha256').update(body).digest('hex') };
const token = async (kid = 'kid-1', at = now, more = {}, of: KeyObject = key.privateKey): Promise<string> =>
  new SignJWT({ ...claims, ...more })
    .setProtectedHeader({ alg: 'ES256', kid, typ: 'JWT' })
    .setIssuedAt(Math.floor(at / 1000))
    .sign(of);
const verdict = async (jwt: string, credentials = by): Promise<boolean | number> => {
  try {
    return await plaid.verify(arrivedOf(body, { 'plaid-verification': jwt }), credentials, ports);
  } catch (error) {
    assert.ok(error instanceof Problem, String(error));
    return error.status;
  }
};

test('a token is verified by the key that Plaid tells, which is asked for once', async () => {
  assert.equal(await verdict(await token()), true);
  assert.equal(await verdict(await token()), true);
  assert.deepEqual(asked, ['/sandbox/webhook_verification_key/get kid-1']);
  time += 3_600_001;
  assert.equal(await verdict(await token()), true);
  assert.equal(asked.length, 2);
  await verdict(await token(), { ...by, settings: { client_id: 'c-1', environment: '' } });
  assert.equal(asked.at(-1), '/live/webhook_verification_key/get kid-1');
});

test('no other algorithm, key, body or time is taken', async () => {
  const other = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  assert.equal(await verdict(await token('kid-1', now, {}, other.privateKey)), false);
  assert.equal(await verdict(await token('kid-2')), false);
  assert.equal(await verdict(await token('kid-1', now, { request_body_sha256: '0'.repeat(64) })), false);
  assert.equal(await verdict(await token('kid-1', now - 301_000)), 401);
  assert.equal(await verdict(await token('kid-1', now + 301_000)), 401);
  assert.equal(await verdict(await token('kid-1', now - 299_000)), true);
  // What is published as a secret of HMAC, and what is signed by nobody.
  const pem = key.publicKey.export({ type: 'spki', format: 'pem' });
  const by256 = new SignJWT({ ...claims, iat: now / 1000 }).setProtectedHeader({ alg: 'HS256', kid: 'kid-1' });
  assert.equal(await verdict(await by256.sign(Buffer.from(pem))), 400);
  const unsecured = new UnsecuredJWT({ ...claims, iat: now / 1000 }).encode();
  assert.equal(await verdict(unsecured), 400);
  const header: CompactJWSHeaderParameters = { alg: 'ES256', kid: 'kid-1' };
  const [, , signature = ''] = (await token()).split('.');
  for (const jwt of [
    '',
    '.',
    '..',
    '...',
    'a.b.c',
    `${Buffer.from(JSON.stringify({ ...header, alg: 'none' })).toString('base64url')}.${Buffer.from('{}').toString('base64url')}.`,
    `${(await token()).split('.').slice(0, 2).join('.')}.`,
    `${(await token()).slice(0, -4)}AAAA`,
    await new CompactSign(Buffer.from('x')).setProtectedHeader(header).sign(key.privateKey),
    await new CompactSign(Buffer.from('[1]')).setProtectedHeader(header).sign(key.privateKey),
    await new CompactSign(Buffer.from(JSON.stringify({ ...claims, iat: 'now' })))
      .setProtectedHeader(header)
      .sign(key.privateKey),
    `${'a'.repeat(5_000)}.${'b'.repeat(5_000)}.${signature}`,
    await token('../../item/remove'),
  ])
    assert.notEqual(await verdict(jwt), true, jwt.slice(0, 80));
  assert.ok(
    asked.every((one) => /kid-[12]$/.test(one)),
    asked.join(),
  );
});

test('an expired key, or one of another kind, is none', async () => {
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  keys.set('kid-3', published(key.publicKey, { expired_at: 1_795_000_000 }));
  keys.set('kid-4', published(rsa.publicKey));
  keys.set('kid-5', { kty: 'EC', crv: 'P-256', x: 'x', y: 'y' });
  keys.set('kid-6', {});
  for (const kid of ['kid-3', 'kid-4', 'kid-5', 'kid-6']) assert.equal(await verdict(await token(kid)), false, kid);
});

test('while Plaid does not answer, a request is refused and may come again; a wrong secret spoils nobody’s keys', async () => {
  fault = 500;
  assert.equal(await verdict(await token()), 401);
  fault = undefined;
  const wrong = { ...by, secret: 's-2' };
  assert.equal(await verdict(await token(), wrong), false);
  assert.equal(await verdict(await token(), wrong), false);
  assert.equal(await verdict(await token()), true);
  assert.equal(asked.length, 3);
});

test('two updates of an item with the same body are two deliveries', async () => {
  const read = async (at: number): Promise<string | undefined> =>
    plaid.read(arrivedOf(body, { 'plaid-verification': await token('kid-1', at) }))[0]?.deliveryId;
  assert.equal(await read(now), await read(now));
  assert.notEqual(await read(now), await read(now + 60_000));
});

test('requests that name keys nobody knows keep no other client waiting', async () => {
  const stranger = { secret: 's-2', settings: { client_id: 'c-2', environment: 'sandbox' } };
  const tokens = await Promise.all(Array.from({ length: 20 }, async (_one, index) => token(`kid-of-none-${index}`)));
  const verdicts = Promise.all(tokens.map(async (one) => verdict(one, stranger)));
  assert.equal(await verdict(await token()), true);
  assert.ok((await verdicts).includes(401));
});
