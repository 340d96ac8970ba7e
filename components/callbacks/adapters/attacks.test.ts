import assert from 'node:assert/strict';
import { hkdfSync } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { Problem } from '@steward/kernel';
import { arrivedOf, createProviders, now, type Provider, type World } from '../fixtures/genuine.ts';
import type { Adapter, Arrived, Credentials, Item } from './adapter.ts';
import { keptHeaders } from '../intake/headers.ts';
import { allAdapters } from './all.ts';

// Every adapter that there is, and any that is added, meets every attack.

let world: World;
before(async () => {
  world = await createProviders();
});
after(() => world[Symbol.asyncDispose]());

const nobody: readonly Adapter[] = allAdapters(async () => undefined);

/** True, false, or 400 or 401 where a Problem says so. Anything else that is thrown fails the test. */
async function verdict(adapter: Adapter, arrived: Arrived, by: Credentials): Promise<boolean | number> {
  try {
    return await adapter.verify(arrived, by, world.ports);
  } catch (error) {
    if (error instanceof Problem && [400, 401].includes(error.status)) return error.status;
    throw error;
  }
}

/** What it says, or undefined where it is not of the provider's form. */
function said(adapter: Adapter, arrived: Arrived): readonly Item[] | undefined {
  try {
    return adapter.read(arrived);
  } catch (error) {
    if (error instanceof Problem && error.status === 400) return undefined;
    throw error;
  }
}

const changed = (text: Buffer, at: number): Buffer => {
  const copy = Buffer.from(text);
  copy[at] = (copy[at] ?? 0) ^ 1;
  return copy;
};

const pretty = (body: Buffer): Buffer => {
  try {
    return Buffer.from(JSON.stringify(JSON.parse(body.toString()), null, 1));
  } catch {
    return Buffer.concat([body, Buffer.from('&')]);
  }
};

const bodyChanges: Readonly<Record<string, (body: Buffer) => Buffer>> = {
  'the first byte': (body) => changed(body, 0),
  'a byte in the middle': (body) => changed(body, body.length >> 1),
  'the last byte': (body) => changed(body, body.length - 1),
  'written again': pretty,
  'a byte order mark before it': (body) => Buffer.concat([Buffer.from('\uFEFF'), body]),
  compressed: (body) => gzipSync(body),
  'a space after it': (body) => Buffer.concat([body, Buffer.from(' ')]),
  nothing: () => Buffer.alloc(0),
};

const signatureChanges: Readonly<Record<string, (signature: string) => string>> = {
  empty: () => '',
  short: (one) => one.slice(0, Math.floor(one.length / 2)),
  'one letter': (one) => one.slice(0, 1),
  'one letter shorter': (one) => one.slice(0, -1),
  long: (one) => `${one}0`.repeat(3),
  'very long': (one) => one + 'a'.repeat(16_000),
  'many values': (one) => `${one}, ${one}`,
  'of no alphabet': (one) => one.replaceAll(/[0-9a-f]/gi, 'ÿ'),
  'of other digits': (one) => one.replaceAll(/[0-9a-f]/gi, 'z'),
  'of zeros': (one) => one.replaceAll(/[0-9a-z]/gi, '0'),
  'of signs': () => '=,=|;&%00..:',
};

const nested = (open: string, close: string, count: number): string => open.repeat(count) + close.repeat(count);

/** The largest body that is taken. */
const most = 2_097_152;
const part = most / 4;

const hostile: Readonly<Record<string, string>> = {
  'deep lists': nested('[', ']', most / 2),
  'a deep object': `${'{"a":'.repeat(part / 8)}1${'}'.repeat(part / 8)}`,
  'only openings': '['.repeat(part),
  'many keys': `{${Array.from({ length: 30_000 }, (_, at) => `"key${at}":${at}`).join()}}`,
  'a long text': JSON.stringify({ id: 'x'.repeat(most - 9) }),
  'many quotes': '"'.repeat(part),
  'many escapes': `{"id":"${'\\\\'.repeat(part / 2)}`,
  'many weights': `{${'"weight":'.repeat(part / 9)}`,
  'digits of a weight': `{"weight":${'1'.repeat(part)}`,
  'many ampersands': '&'.repeat(part),
  'many per cents': `bt_signature=${'%'.repeat(part)}&bt_payload=%`,
  'much base64': `bt_signature=a|${'0'.repeat(40)}&bt_payload=${'QUFB'.repeat(part / 4)}`,
  'members of no form':
    '{"id":{"a":1},"type":[],"event_id":null,"data":"x","notificationItems":[1,null,[],{"NotificationRequestItem":[]}]}',
  'a prototype': '{"__proto__":{"id":"x"},"constructor":{"prototype":{}},"id":"evt_1"}',
  'control characters': '{"id":"evt\\u0000\\u001b","type":"a\\nb","item_id":"\\ud800"}',
  'no UTF-8': '\u00ff\u00fe{"id":"\u00c3\u0028"}',
  'a list': '[]',
  'no JSON': 'state-5d41402abc4b2a76b9719d911017c592',
  'a document type': '<!DOCTYPE a [<!ENTITY b "c"><!ENTITY d "&b;&b;">]><notification>&d;</notification>',
  'deep elements': `<notification>${nested('<a>', '', 100_000)}`,
  nothing: '',
};

for (const { name } of nobody)
  describe(name, () => {
    let adapter: Adapter;
    let provider: Provider;
    let arrived: Arrived;
    before(async () => {
      const [one, other] = [allAdapters(world.plaidKeys).find((each) => each.name === name), world.providers[name]];
      assert.ok(one !== undefined && other !== undefined, 'fixtures/genuine.ts says how the provider signs');
      [adapter, provider] = [one, other];
      arrived = await provider.sign(Buffer.from(provider.event), provider.current);
    });
    const refused = async (what: string, of: Arrived, by = provider.current): Promise<void> => {
      const found = await verdict(adapter, of, by);
      assert.notEqual(found, true, `${what} was taken for genuine`);
    };

    test('what the provider signed is genuine, is recognised by nobody else, and says the same each time', async () => {
      assert.equal(await verdict(adapter, arrived, provider.current), true);
      assert.deepEqual(
        nobody.filter((one) => one.recognises(arrived)).map((one) => one.name),
        [name],
      );
      const items = adapter.read(arrived);
      assert.deepEqual(adapter.read(arrived), items);
      const other = adapter.read(await provider.sign(Buffer.from(provider.otherEvent), provider.current));
      const ids = [...items, ...other].map(({ deliveryId }) => deliveryId);
      assert.equal(new Set(ids).size, ids.length);
      for (const { deliveryId, eventId, account, topic, resource, occurredAt } of items) {
        for (const text of [deliveryId, eventId, topic, account ?? 'x', resource ?? 'x'])
          assert.ok(text.length > 0 && text.length <= 200 && !/\p{Cc}/u.test(text), text);
        if (occurredAt !== null) assert.equal(new Date(occurredAt).toISOString(), occurredAt);
      }
    });

    test('an event that is about an account is of a scheme whose events always are, or it is known why not', () => {
      // Of an account itself Stripe's events name none; where only accounts that are connected to it are followed, they are refused.
      const sometimes = name === 'stripe';
      const named = adapter.read(arrived).every(({ account }) => account !== null);
      assert.equal(adapter.namesAccount ?? false, named && !sometimes);
    });

    test('what is kept of it, without signatures and what nobody may keep, says the same again', () => {
      const kept = {
        ...arrived,
        body: adapter.kept?.(arrived.body) ?? arrived.body,
        headers: keptHeaders(arrived.headers),
      };
      const told = (of: Arrived) =>
        adapter
          .read(of)
          .map(({ topic, eventId, account, resource, live }) => ({ topic, eventId, account, resource, live }));
      const [before, after] = [told(arrived), told(kept)];
      // Of an event without an id, its name is made of what was signed.
      const isNamed = JSON.stringify(adapter.read(arrived)[0]?.data).includes(before[0]?.eventId ?? '');
      if (isNamed) assert.deepEqual(after, before);
      else
        assert.deepEqual(
          after.map((one) => ({ ...one, eventId: '' })),
          before.map((one) => ({ ...one, eventId: '' })),
        );
    });

    test('a signature that is missing or of another form is refused', async () => {
      const carried = adapter.rules.headers
        .map((header) => header.toLowerCase())
        .filter((header) => arrived.headers[header] !== undefined);
      assert.ok(carried.length > 0 || provider.resign !== undefined);
      for (const header of carried) {
        await refused(`without ${header}`, { ...arrived, headers: { ...arrived.headers, [header]: undefined } });
        for (const [what, change] of Object.entries(signatureChanges)) {
          const value = change(arrived.headers[header] ?? '');
          await refused(`${header} ${what}`, { ...arrived, headers: { ...arrived.headers, [header]: value } });
        }
      }
      for (const [what, change] of Object.entries(provider.resign === undefined ? {} : signatureChanges))
        await refused(`signature ${what}`, provider.resign?.(arrived, change) ?? arrived);
    });

    test('a changed body is refused where it is signed', async () => {
      const [before] = adapter.read(arrived);
      for (const [what, change] of Object.entries(bodyChanges)) {
        const body = change(arrived.body);
        if (body.equals(arrived.body)) continue;
        const other = { ...arrived, body };
        const found = await verdict(adapter, other, provider.current);
        if (found !== true) continue;
        const items = said(adapter, other);
        // A body that holds its signature may have more around what is signed, of which nothing gets into what is told.
        if (provider.resign !== undefined) assert.deepEqual(items?.[0], before, what);
        else assert.equal(adapter.coverage, 'none', what);
      }
    });

    test('a time that is stale or in the future is refused, and one within the window is not', async () => {
      const { window } = adapter.rules;
      if (window === null) return;
      const ahead = Math.min(window, 300);
      for (const [seconds, expected] of [
        [-(window - 5), true],
        [ahead - 5, true],
        [-(window + 5), 401],
        [ahead + 5, 401],
      ] as const) {
        const signed = await provider.sign(Buffer.from(provider.event), provider.current, now + seconds * 1000);
        assert.equal(await verdict(adapter, signed, provider.current), expected, `${seconds} s`);
      }
      for (const seconds of [-100_000_000, 100_000_000])
        await refused(
          `${seconds} s`,
          await provider.sign(Buffer.from(provider.event), provider.current, now + seconds * 1000),
        );
    });

    test('a secret that is written otherwise than the provider writes it is told apart from its own', () => {
      const { secretForm } = adapter;
      if (secretForm === undefined) return;
      for (const { secret } of [provider.current, provider.another]) assert.match(secret, secretForm);
      for (const secret of [
        '',
        'ab',
        'zz'.repeat(64),
        `0x${provider.current.secret}`,
        provider.current.secret.slice(1),
      ])
        assert.doesNotMatch(secret, secretForm);
    });

    test('nothing but its own secret makes it genuine', async () => {
      const strange = await provider.sign(Buffer.from(provider.event), provider.another);
      await refused('by another secret', strange);
      if (adapter.secret === undefined) return;
      await refused('for another secret', arrived, provider.another);
      const none = { ...provider.current, secret: '' };
      await refused('an empty secret', arrived, none);
      await refused('by an empty secret', await provider.sign(Buffer.from(provider.event), none), none);
      // What else is made of the secret, such as a cookie that holds a state, is made by a key that is derived of it.
      const derived = Buffer.from(hkdfSync('sha256', provider.current.secret, '', 'state', 32)).toString('hex');
      await refused(
        'by a derived key',
        await provider.sign(Buffer.from(provider.event), { ...provider.current, secret: derived }),
      );
    });

    test('hostile bodies are refused, quickly, signed or not, and the hint says at most nothing', async () => {
      for (const [what, text] of Object.entries(hostile)) {
        const body = Buffer.from(text, 'latin1');
        const headers = { ...arrived.headers };
        const began = process.threadCpuUsage().user;
        const unsigned = { ...arrived, body };
        if (adapter.coverage === 'body') await refused(what, unsigned);
        const hint = adapter.hint(unsigned);
        assert.ok(hint === undefined || (hint.length > 0 && hint.length <= 200), what);
        assert.equal(typeof adapter.recognises(arrivedOf(body, headers)), 'boolean');
        const signed = await provider.sign(body, provider.current);
        if ((await verdict(adapter, signed, provider.current)) === true)
          for (const item of said(adapter, signed) ?? []) assert.ok(item.deliveryId.length <= 200, what);
        const took = (process.threadCpuUsage().user - began) / 1_000;
        assert.ok(took < 300, `${what} took ${took} ms of the thread`);
      }
      for (const value of ['', '\u00ff', 'a'.repeat(16_000), '{"', '%', ','.repeat(16_000)])
        for (const headers of [
          Object.fromEntries(Object.keys(arrived.headers).map((header) => [header, value])),
          Object.fromEntries(adapter.rules.headers.map((header) => [header.toLowerCase(), value])),
        ]) {
          adapter.hint({ ...arrived, headers });
          if (Object.keys(headers).length > 0 && adapter.rules.headers.length > 0)
            await refused(`headers ${value.slice(0, 9)}`, { ...arrived, headers });
        }
    });
  });
