import assert from 'node:assert/strict';
import { generateKeyPairSync, type KeyObject, sign as rawSignature } from 'node:crypto';
import { describe, test } from 'node:test';
import { createSigner, createVerifier, httpbis } from 'http-message-signatures';
import { signatureBase } from './base.ts';
import {
  type Algorithm,
  contentDigest,
  digestFits,
  keySetOf,
  mostKeys,
  publicJwk,
  requiredOf,
  type RequestMessage,
  sign,
  thumbprint,
  verify,
} from './index.ts';

const pairs: readonly (readonly [Algorithm, string, KeyObject])[] = [
  ['ES256', 'ecdsa-p256-sha256', generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey],
  ['ES384', 'ecdsa-p384-sha384', generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey],
  ['EdDSA', 'ed25519', generateKeyPairSync('ed25519').privateKey],
];
const [, , key] = pairs[0] ?? assert.fail();
const fields = ['ucp-agent', 'idempotency-key', 'signature-agent'];
const body = Buffer.from('{"line_items":[{"item":{"id":"a"},"quantity":1}]}');
const plain: RequestMessage = {
  method: 'POST',
  url: 'https://Shop.example:443/ucp/b%2F1/checkout-sessions?a=1&b=%20',
  headers: {
    'content-type': 'application/json',
    'ucp-agent': 'profile="https://agent.example/.well-known/ucp"',
    'idempotency-key': 'b3b2a1c0-0000-4000-8000-000000000001',
    accept: 'application/json',
  },
  body,
};
const jwk = publicJwk(key);
const keys = keySetOf([jwk]);
const signed = (message = plain, more: object = {}): RequestMessage => ({
  ...message,
  headers: {
    ...message.headers,
    ...sign(message, { key, keyid: jwk.kid, algorithm: 'ES256', fields, ...more }),
  },
});
const verdict = (message: RequestMessage, set = keys, now?: number, tags?: readonly string[]): string => {
  const found = verify(message, {
    keys: set,
    required: requiredOf(message, fields),
    ...(tags === undefined ? {} : { tags }),
    ...(now === undefined ? {} : { now }),
  });
  return typeof found === 'string' ? found : 'verified';
};
const withHeaders = (message: RequestMessage, headers: Record<string, string | undefined>): RequestMessage => ({
  ...message,
  headers: { ...message.headers, ...headers },
});
/** Signed by hand, so that anything can be said. */
const byHand = (
  names: readonly string[],
  params: string,
  { message = plain, by = key, raw = true }: { message?: RequestMessage; by?: KeyObject; raw?: boolean } = {},
): RequestMessage => {
  const whole = withHeaders(message, { 'content-digest': contentDigest(message.body) });
  const list = `(${names.map((name) => `"${name}"`).join(' ')})${params}`;
  const base = signatureBase(
    whole,
    names.map((name) => {
      const [field = '', key] = name.split('";key="');
      return { name: field, key, id: `"${name}"` };
    }),
    list,
  );
  const bytes = rawSignature('sha256', Buffer.from(base ?? ''), raw ? { key: by, dsaEncoding: 'ieee-p1363' } : by);
  return withHeaders(whole, { 'signature-input': `s=${list}`, signature: `s=:${bytes.toString('base64')}:` });
};
const all = requiredOf(plain, fields);
const keyid = `;keyid="${jwk.kid}"`;

describe('signatures of messages', () => {
  for (const [algorithm, name, privateKey] of pairs)
    test(`by ${algorithm} are understood by another implementation, and its own are here`, async () => {
      const own = publicJwk(privateKey);
      const set = keySetOf([own]);
      const ours = withHeaders(plain, {
        ...sign(plain, { key: privateKey, keyid: own.kid, algorithm, fields, created: Math.floor(Date.now() / 1_000) }),
      });
      assert.equal(verdict(ours, set), 'verified');
      const asTheirs = { method: ours.method, url: ours.url, headers: ours.headers as Record<string, string> };
      const verifier = createVerifier(privateKey, name);
      assert.ok(
        await httpbis.verifyMessage(
          { keyLookup: async () => ({ id: own.kid, algs: [name], verify: verifier }) },
          asTheirs,
        ),
      );
      const theirs = await httpbis.signMessage(
        {
          key: createSigner(privateKey, name, own.kid),
          fields: all,
          params: ['keyid', 'created'],
        },
        { ...asTheirs, headers: { ...plain.headers, 'content-digest': contentDigest(body) } as Record<string, string> },
      );
      const lower = Object.fromEntries(
        Object.entries(theirs.headers).map(([each, value]) => [each.toLowerCase(), value]),
      );
      assert.equal(verdict({ ...plain, headers: lower }, set), 'verified');
    });

  test('hold nothing that was changed afterwards', () => {
    const good = signed();
    assert.equal(verdict(good), 'verified');
    const changed: Record<string, RequestMessage> = {
      method: { ...good, method: 'PUT' },
      authority: { ...good, url: good.url.replace('Shop.example', 'other.example') },
      path: { ...good, url: good.url.replace('/checkout-sessions', '/carts') },
      'path, decoded': { ...good, url: good.url.replace('%2F', '/') },
      query: { ...good, url: good.url.replace('a=1', 'a=2') },
      'no query': { ...good, url: good.url.replace(/\?.*/, '') },
      'ucp-agent': withHeaders(good, { 'ucp-agent': 'profile="https://evil.example/.well-known/ucp"' }),
      'idempotency-key': withHeaders(good, { 'idempotency-key': 'b3b2a1c0-0000-4000-8000-000000000002' }),
      'content-type': withHeaders(good, { 'content-type': 'text/plain' }),
      'a field that was not sent': withHeaders(good, { 'signature-agent': '"https://agent.example"' }),
    };
    for (const [what, message] of Object.entries(changed))
      assert.match(verdict(message), /^signature_(?:invalid|missing)$/, what);
    for (let at = 0; at < body.length; at += 7) {
      const other = Buffer.from(body);
      other[at] = (other[at] ?? 0) ^ 1;
      assert.equal(verdict({ ...good, body: other }), 'digest_mismatch');
      assert.equal(
        verdict(withHeaders({ ...good, body: other }, { 'content-digest': contentDigest(other) })),
        'signature_invalid',
      );
    }
    // Not covered, and so of no matter; scheme and authority are of any case, and a scheme's own port says nothing.
    assert.equal(verdict(withHeaders(good, { accept: '*/*' })), 'verified');
    assert.equal(verdict({ ...good, url: good.url.replace('Shop.example:443', 'shop.example') }), 'verified');
    assert.equal(verdict({ ...good, url: good.url.replace(':443', ':8443') }), 'signature_invalid');
  });

  test('count only where they cover all that must be', () => {
    assert.equal(verdict(byHand(all, keyid)), 'verified');
    for (const name of all)
      assert.equal(
        verdict(
          byHand(
            all.filter((one) => one !== name),
            keyid,
          ),
        ),
        'signature_missing',
        name,
      );
    assert.equal(verdict(plain), 'signature_missing');
    for (const name of ['signature', 'signature-input'])
      assert.equal(verdict(withHeaders(signed(), { [name]: undefined })), 'signature_missing', name);
  });

  test('of a member of a field cover no more than that: only Signature-Agent has one for each signature', () => {
    const message = withHeaders(plain, {
      'ucp-agent': 'v=1, profile="https://agent.example/.well-known/ucp"',
      'content-digest': contentDigest(body),
      'signature-agent': 's="https://agent.example", other="https://other.example"',
    });
    const every = [...all, 'signature-agent'];
    const covering = (name: string, member: string): string =>
      verdict(byHand([...every.filter((one) => one !== name), `${name}";key="${member}`], keyid, { message }));
    assert.equal(verdict(byHand(every, keyid, { message })), 'verified');
    assert.equal(covering('signature-agent', 's'), 'verified');
    assert.equal(covering('signature-agent', 'other'), 'signature_missing');
    for (const [name, member] of [
      ['ucp-agent', 'v'],
      ['ucp-agent', 'profile'],
      ['content-digest', 'sha-256'],
    ] as const)
      assert.equal(covering(name, member), 'signature_missing', `${name} ${member}`);
  });

  test('that were made for another purpose are passed over, where it is said which count', () => {
    const at = Math.floor(Date.now() / 1_000);
    const tagged = (tag: string): string =>
      verdict(byHand(all, `${keyid};created=${at};expires=${at + 60};tag="${tag}"`), keys, undefined, ['web-bot-auth']);
    assert.equal(tagged('web-bot-auth'), 'verified');
    assert.equal(verdict(byHand(all, keyid), keys, undefined, ['web-bot-auth']), 'verified');
    for (const tag of ['agent-payer-auth', 'agent-browser-auth', '', 'WEB-BOT-AUTH'])
      assert.equal(tagged(tag), 'signature_missing', tag);
  });

  test('are of the algorithm of the key, raw, and of no other time', () => {
    const now = Date.now();
    const at = (seconds: number): number => Math.floor(now / 1_000) + seconds;
    assert.equal(verdict(byHand(all, keyid, { raw: false })), 'signature_invalid', 'DER');
    assert.equal(verdict(byHand(all, `${keyid};alg="ecdsa-p256-sha256"`)), 'verified');
    for (const alg of ['hmac-sha256', 'rsa-pss-sha512', 'ed25519', 'none', ''])
      assert.equal(verdict(byHand(all, `${keyid};alg="${alg}"`)), 'algorithm_unsupported', alg);
    assert.equal(verdict(byHand(all, `${keyid};created=${at(0)};expires=${at(60)}`)), 'verified');
    assert.equal(verdict(byHand(all, `${keyid};created=${at(-900)};expires=${at(-600)}`)), 'signature_invalid');
    assert.equal(verdict(byHand(all, `${keyid};created=${at(3_600)}`)), 'signature_invalid');
    assert.equal(verdict(byHand(all, `;created=${at(0)}`)), 'key_not_found', 'without keyid');
    const agent = `${keyid};created=${at(0)};expires=${at(60)};tag="web-bot-auth"`;
    assert.equal(verdict(byHand(all, agent)), 'verified');
    const renamed = keySetOf([{ ...jwk, kid: 'other' }]);
    assert.equal(verdict(byHand(all, agent.replace(jwk.kid, 'other')), renamed), 'signature_invalid');
  });

  test('are of a key that may sign, and that is published', () => {
    const [other] = [generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey];
    const wrongCurve = publicJwk(generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey);
    const sets: [string, readonly unknown[], string][] = [
      ['no key', [], 'key_not_found'],
      ['another key', [publicJwk(other)], 'key_not_found'],
      ['another key of that id', [{ ...publicJwk(other), kid: jwk.kid }], 'signature_invalid'],
      ['for encryption', [{ ...jwk, use: 'enc' }], 'key_not_found'],
      ['for wrapping', [{ ...jwk, key_ops: ['wrapKey'] }], 'key_not_found'],
      ['of another curve', [{ ...wrongCurve, kid: jwk.kid }], 'signature_invalid'],
      ['that says another algorithm', [{ ...jwk, alg: 'ES384' }], 'algorithm_unsupported'],
      ['RSA', [{ kty: 'RSA', n: 'AQAB', e: 'AQAB', kid: jwk.kid }], 'algorithm_unsupported'],
      ['no point of the curve', [{ ...jwk, x: 'AAAA' }], 'key_not_found'],
      ['beside all that is odd', [null, 1, [], {}, { kid: 7 }, { ...jwk, kid: 'enc', use: 'enc' }, jwk], 'verified'],
      [
        'behind too many',
        [...Array.from({ length: mostKeys }, (_, n) => ({ ...jwk, kid: `k${n}` })), jwk],
        'key_not_found',
      ],
    ];
    for (const [what, set, expected] of sets) assert.equal(verdict(signed(), keySetOf(set)), expected, what);
    const { y: _y, ...half } = jwk as Record<string, unknown>;
    assert.equal(verdict(signed(), keySetOf([half])), 'key_not_found');
    assert.equal(jwk.kid, thumbprint(jwk));
    assert.deepEqual(Object.keys(jwk).toSorted(), ['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y']);
  });

  test('suffice one of several, and more than eight are not tried', () => {
    const good = signed();
    const [input, signature] = [String(good.headers['signature-input']), String(good.headers['signature'])];
    const bad = input.replace('sig1=', 'bad=').replace(jwk.kid, 'unknown');
    const both = withHeaders(good, {
      'signature-input': `${bad}, ${input}`,
      signature: `${signature.replace('sig1=', 'bad=')}, ${signature}`,
    });
    assert.equal(verdict(both), 'verified');
    const many = (count: number): RequestMessage =>
      withHeaders(good, {
        'signature-input': [...Array.from({ length: count }, (_, n) => `b${n}=("@method");keyid="x"`), input].join(
          ', ',
        ),
        signature: [...Array.from({ length: count }, (_, n) => `b${n}=:AAAA:`), signature].join(', '),
      });
    assert.equal(verdict(many(7)), 'verified');
    assert.equal(verdict(many(8)), 'signature_missing');
  });

  test('that are written otherwise than the standard says are none', () => {
    const good = signed();
    const [input, signature] = [String(good.headers['signature-input']), String(good.headers['signature'])];
    const odd: Record<string, string>[] = [
      { 'signature-input': 'x' },
      { 'signature-input': '' },
      { 'signature-input': input.replace('sig1=', '') },
      { 'signature-input': input.replace('"@method"', '"@method";req') },
      { 'signature-input': input.replace('"@method"', '"@method" "@method"') },
      { 'signature-input': input.replace('"@method"', '"@METHOD"') },
      { 'signature-input': input.replace('"@method"', '"@method" "@query-param";name="a"') },
      { 'signature-input': `${input};x=${'1'.repeat(9_000)}` },
      { 'signature-input': '('.repeat(7_999) },
      { signature: 'sig1=abc' },
      { signature: 'sig1=:####:' },
      { signature: 'sig1=::' },
      { signature: signature.replace('sig1', 'sig2') },
      { signature: `sig1=:${'A'.repeat(7_000)}:` },
    ];
    for (const headers of odd)
      assert.match(
        verdict(withHeaders(good, headers)),
        /^signature_(?:invalid|missing)$/,
        JSON.stringify(headers).slice(0, 80),
      );
    for (const digest of [
      '',
      'sha-256=1',
      'md5=:AAAA:',
      'constructor=:AAAA:',
      'sha-256=:AAAA:',
      '('.repeat(900),
      'x'.repeat(5_000),
    ])
      assert.ok(!digestFits(digest, body), digest.slice(0, 20));
    assert.ok(digestFits(`${contentDigest(body)}, md5=:AAAA:`, body));
  });
});
