import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { after, before, beforeEach, describe, it } from 'node:test';
import { listen } from '../fixtures/storefront.ts';
import { learn } from './learn.ts';

const digestOf = (text: string): string => createHash('sha256').update(text).digest('base64');

describe('a language that is no part of the script', () => {
  const german = JSON.stringify({ send: 'Absenden' });
  let server: Server;
  let base: string;
  let asked: string[];
  let body: string;
  let status: number;
  before(async () => {
    server = createServer((request, response) => {
      asked.push(request.url ?? '');
      response.writeHead(status, { 'content-type': 'application/json' }).end(body);
    });
    base = await listen(server);
  });
  beforeEach(() => {
    asked = [];
    body = german;
    status = 200;
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  it('is asked for once by all that want it, by an address of its own in each release', async () => {
    const catalogues: Record<string, unknown> = { en: { send: 'Send' } };
    const digests = { de: digestOf(german) };
    await Promise.all(['de', 'de-AT', 'DE_ch'].map(async (tag) => learn(catalogues, digests, tag, `${base}/`, 'once')));
    assert.deepEqual(catalogues['de'], { send: 'Absenden' });
    assert.deepEqual(asked, [`/once.de.json?${digests.de.slice(0, 8)}`]);
    assert.equal(learn(catalogues, digests, 'de', base, 'once'), undefined, 'it is known');
  });

  it('is not asked for where the script has it, the page has written it, nobody has, or nothing is known of a storefront', async () => {
    const digests = { de: digestOf(german) };
    for (const [tag, catalogues, at] of [
      ['en', { en: {} }, base],
      ['fr', { en: {} }, base],
      ['', { en: {} }, base],
      ['__proto__', { en: {} }, base],
      ['de-at', { en: {}, 'de-at': {} }, base],
      ['de', { en: {} }, ''],
    ] as const)
      assert.equal(learn({ ...catalogues }, digests, tag, at, 'none'), undefined, tag);
    assert.deepEqual(asked, []);
  });

  it('is not spoken where its bytes are not those of the release, or do not come; the next that wants it asks again', async () => {
    const catalogues: Record<string, unknown> = { en: {} };
    const digests = { de: digestOf(german) };
    for (const [told, text] of [
      [200, JSON.stringify({ send: 'Give us your card' })],
      [404, '{}'],
      [200, '<html>'],
    ] as const) {
      [status, body] = [told, text];
      await learn(catalogues, digests, 'de', base, 'wrong');
      assert.deepEqual(Object.keys(catalogues), ['en'], text);
    }
    [status, body] = [200, german];
    await learn(catalogues, digests, 'de', base, 'wrong');
    assert.deepEqual([catalogues['de'], asked.length], [{ send: 'Absenden' }, 4]);
  });
});
