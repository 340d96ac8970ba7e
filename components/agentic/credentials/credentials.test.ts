import assert from 'node:assert/strict';
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { newId, Problem } from '@steward/kernel';
import { sql } from '@steward/sql';
import { shutOutAgent } from '../agents/judge.ts';
import { trustAgent } from '../agents/trust.ts';
import { signedText } from '../component.ts';
import { configureAgenticCommerce } from '../doors/configure.ts';
import { createWorld, type Instance, type World } from '../fixtures/world.ts';
import { recorded } from '../recorded.ts';
import { issueCredential } from './issue.ts';
import { listCredentials } from './list.ts';
import { revokeCredential } from './revoke.ts';
import { rotateCredential } from './rotate.ts';

const codeOf = async (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'admitted',
    (error: unknown) => (error instanceof Problem ? error.code : assert.fail(String(error))),
  );

interface Asked {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

const platform = 'https://agent.example/';

describe('credentials of agent platforms', () => {
  let world: World;
  let one: Instance;
  before(async () => {
    world = await createWorld();
    one = world.instance();
  });
  after(async () => world[Symbol.asyncDispose]());

  const shop = async (terms: object = {}) => {
    const made = await world.shop(one, { protocol: 'acp', ...terms });
    const door = async (by = one) => (await by.agentic.doorOf(made.brandId, 'acp')) ?? assert.fail('no door');
    return { ...made, door };
  };
  const request = (headers: Readonly<Record<string, string>> = {}, path = '/acp/x/checkout_sessions'): Asked => ({
    method: 'POST',
    url: `https://shop.example${path}`,
    headers: { 'idempotency-key': 'k-1', ...headers },
    body: new Uint8Array(),
  });
  const bearer = (key: string | null) => ({ authorization: `Bearer ${key ?? ''}` });
  const pair = (): { readonly key: KeyObject; readonly publicKey: string } => {
    const { privateKey: key, publicKey } = generateKeyPairSync('ed25519');
    return { key, publicKey: publicKey.export({ format: 'jwk' }).x ?? '' };
  };
  const signed = (key: KeyObject, headers: Record<string, string>, body: unknown, at = new Date()) => {
    const plain = request({ ...headers, timestamp: at.toISOString() });
    const signature = sign(null, Buffer.from(signedText(plain, body)), key).toString('base64url');
    return { ...plain, headers: { ...plain.headers, signature } };
  };

  test('open the door of their brand and mode, and no other', async () => {
    const { context, brandId, door } = await shop();
    const other = await shop();
    const issued = await issueCredential(context, { brandId, profileUrl: platform }, one.ports);
    const {
      id,
      keyId,
      signed: isSigned,
    } = await one.agentic.admitBearer(await door(), request(bearer(issued.key)), {});
    assert.deepEqual([id, keyId, isSigned], [issued.agentId, issued.id, false]);
    const refused = ['unauthenticated', 'unauthenticated', 'unauthenticated', 'unauthenticated'];
    const asked = [
      codeOf(one.agentic.admitBearer(await other.door(), request(bearer(issued.key)), {})),
      codeOf(one.agentic.admitBearer(await door(), request(bearer(`${issued.key?.slice(0, -1)}-`)), {})),
      codeOf(one.agentic.admitBearer(await door(), request(), {})),
      codeOf(one.agentic.admitBearer({ ...(await door()), mode: 'live' }, request(bearer(issued.key)), {})),
    ];
    assert.deepEqual(await Promise.all(asked), refused);
    const second = await issueCredential(context, { brandId, profileUrl: platform }, one.ports);
    assert.equal(second.agentId, issued.agentId, 'another key of the same platform is the same agent');
  });

  test('are shown once, and nothing that is stored or listed holds one', async () => {
    const { context, brandId } = await shop();
    const issued = await issueCredential(context, { brandId, profileUrl: platform, label: 'Checkout' }, one.ports);
    const key = issued.key ?? '';
    const { items } = await listCredentials(context, { brandId, limit: 50 }, one.ports);
    const { key: _key, ...view } = issued;
    assert.deepEqual(items, [view]);
    const rows = await world.admin.query<{ all: string }>(sql`
      select c::text as all from agentic.credential c union all select e::text from audit.event e`);
    assert.ok(!rows.some(({ all }) => all.includes(key.slice(8))));
    assert.ok(key.startsWith('ak_test_') && key.endsWith(issued.lastFour));
  });

  test('go over to a successor, and end at once where they are revoked', async () => {
    const { context, brandId, door } = await shop();
    const other = world.instance();
    const issued = await issueCredential(context, { brandId, profileUrl: platform }, one.ports);
    const next = await rotateCredential(context, { credentialId: issued.id }, one.ports);
    assert.deepEqual([next.replaces, next.agentId, next.status], [issued.id, issued.agentId, 'active']);
    for (const { key } of [issued, next])
      assert.equal((await one.agentic.admitBearer(await door(), request(bearer(key)), {})).id, issued.agentId);
    assert.equal(
      await codeOf(rotateCredential(context, { credentialId: issued.id }, one.ports)),
      'agent_credential_ended',
    );
    await other.agentic.admitBearer(await door(other), request(bearer(next.key)), {});
    await revokeCredential(context, { credentialId: next.id }, one.ports);
    assert.equal(await codeOf(one.agentic.admitBearer(await door(), request(bearer(next.key)), {})), 'unauthenticated');
    const until = performance.now() + 5_000;
    let code = '';
    while (code !== 'unauthenticated' && performance.now() < until)
      code = await codeOf(other.agentic.admitBearer(await door(other), request(bearer(next.key)), {}));
    assert.equal(code, 'unauthenticated', 'another process hears of it');
    const last = await rotateCredential(
      context,
      {
        credentialId: (await issueCredential(context, { brandId, profileUrl: platform }, one.ports)).id,
        overlapHours: 0,
      },
      one.ports,
    );
    const { items } = await listCredentials(context, { brandId, limit: 50 }, one.ports);
    assert.deepEqual(
      items.map(({ status }) => status),
      ['ending', 'revoked', 'expired', 'active'],
    );
    assert.equal(items.at(-1)?.id, last.id);
    const events = (await world.events(context.tenant)).map(({ type }) => type);
    assert.deepEqual(
      events.filter((type) => type.startsWith('agentic.credential')),
      [
        'agentic.credential.issued',
        'agentic.credential.rotated',
        'agentic.credential.revoked',
        'agentic.credential.issued',
        'agentic.credential.rotated',
      ],
    );
  });

  test('of a live door demand a signature, over all that a request says', async () => {
    const { context, brandId, door } = await shop({ mode: 'live' });
    assert.equal(
      await codeOf(issueCredential(context, { brandId, profileUrl: platform, mode: 'live' }, one.ports)),
      'invalid_request',
      'a live credential needs a public key',
    );
    const { key, publicKey } = pair();
    const issued = await issueCredential(
      context,
      { brandId, profileUrl: platform, mode: 'live', publicKey },
      one.ports,
    );
    const auth = bearer(issued.key);
    const body = { b: 1, a: [2, { z: null }] };
    const ask = async (arrived: Asked, said: unknown = body) =>
      codeOf(one.agentic.admitBearer(await door(), arrived, said));
    const good = signed(key, auth, body);
    assert.equal(await ask(good), 'admitted');
    assert.equal(await ask(good, { a: [2, { z: null }], b: 1 }), 'admitted', 'the order of members means nothing');
    assert.equal(await ask(request(auth)), 'signature_missing');
    const wrong: [string, Asked, unknown?][] = [
      ['another body', good, { ...body, b: 2 }],
      ['no body', good, undefined],
      ['another method', { ...good, method: 'PUT' }],
      ['another path', { ...good, url: `${good.url}/other` }],
      ['another query', { ...good, url: `${good.url}?a=1` }],
      ['another key of repetition', { ...good, headers: { ...good.headers, 'idempotency-key': 'k-2' } }],
      [
        'another time',
        { ...good, headers: { ...good.headers, timestamp: new Date(Date.now() + 1_000).toISOString() } },
      ],
      [
        'no time',
        {
          ...good,
          headers: Object.fromEntries(Object.entries(good.headers).filter(([name]) => name !== 'timestamp')),
        },
      ],
      ['another signer', signed(pair().key, auth, body)],
      [
        'half a signature',
        { ...good, headers: { ...good.headers, signature: good.headers['signature']?.slice(0, 40) ?? '' } },
      ],
    ];
    for (const [what, arrived, ...said] of wrong)
      assert.equal(
        await codeOf(one.agentic.admitBearer(await door(), arrived, said.length === 0 ? body : said[0])),
        'signature_invalid',
        what,
      );
    for (const minutes of [-6, 6])
      assert.equal(await ask(signed(key, auth, body, new Date(Date.now() + minutes * 60_000))), 'signature_expired');
  });

  test('are verified by a test door where a request is signed', async () => {
    const { context, brandId, door } = await shop();
    const { key, publicKey } = pair();
    const issued = await issueCredential(context, { brandId, profileUrl: platform, publicKey }, one.ports);
    const auth = bearer(issued.key);
    assert.equal((await one.agentic.admitBearer(await door(), signed(key, auth, {}), {})).signed, true);
    assert.equal(
      await codeOf(one.agentic.admitBearer(await door(), signed(key, auth, {}), { a: 1 })),
      'signature_invalid',
    );
    assert.equal((await one.agentic.admitBearer(await door(), request(auth), {})).signed, false);
  });

  test('open nothing for an agent that is shut out, or not trusted where only trusted ones are served', async () => {
    const { context, brandId, door } = await shop();
    const issued = await issueCredential(context, { brandId, profileUrl: platform }, one.ports);
    await one.agentic.admitBearer(await door(), request(bearer(issued.key)), {});
    await shutOutAgent(context, { agentId: issued.agentId }, one.ports);
    const ask = async () => codeOf(one.agentic.admitBearer(await door(), request(bearer(issued.key)), {}));
    assert.equal(await ask(), 'profile_not_trusted');
    await trustAgent(context, { brandId, protocol: 'acp', profileUrl: platform }, one.ports);
    await configureAgenticCommerce(context, { brandId, protocol: 'acp', trustedOnly: true }, one.ports);
    assert.equal(await ask(), 'admitted');
    const refused = (await world.events(context.tenant)).filter(({ type }) => type === 'agentic.request.refused');
    assert.deepEqual(
      refused.map(({ payload }) => [payload['protocol'], payload['verdict'], payload['key_id']]),
      [['acp', 'profile_not_trusted', issued.id]],
    );
  });

  test('of another tenant or brand are not found', async () => {
    const mine = await shop();
    const theirs = await shop();
    const issued = await issueCredential(theirs.context, { brandId: theirs.brandId, profileUrl: platform }, one.ports);
    for (const credentialId of [issued.id, newId()]) {
      assert.equal(await codeOf(revokeCredential(mine.context, { credentialId }, one.ports)), 'not_found');
      assert.equal(await codeOf(rotateCredential(mine.context, { credentialId }, one.ports)), 'not_found');
    }
    assert.deepEqual((await listCredentials(mine.context, { brandId: theirs.brandId, limit: 5 }, one.ports)).items, []);
    assert.ok(recorded.some(({ what }) => what === 'credential of agent'));
  });
});
