import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { after, before, describe, it } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { createLog, createRouter, listen, type Listener, type Scope } from '@steward/kernel';
import { files } from './bundle.ts';
import { mountSdk } from './mount.ts';

interface Raw {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

describe('what a browser is served of the SDK', () => {
  let listener: Listener;
  let close: () => Promise<void>;
  let base: string;
  before(async () => {
    const log = createLog('silent');
    listener = await listen('127.0.0.1', 0, log);
    base = `http://127.0.0.1:${listener.port}/commerce`;
    const mounts = [true, false].map((examplePage) => ({
      base: examplePage ? base : `${base}-production`,
      register: (scope: Scope) => mountSdk(scope, { example: examplePage ? async () => undefined : undefined }),
    }));
    const router = await createRouter({ server: listener.server, mounts, doors: [], log, observe: () => undefined });
    listener.open(router.handle);
    close = router.close;
  });
  after(async () => {
    await listener.close(100);
    await close();
  });

  /** As it comes over the wire: fetch would undo the encoding. */
  const get = async (path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Raw> =>
    new Promise((resolve, reject) => {
      httpRequest(base + path, { method, headers }, (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('end', () =>
          resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: Buffer.concat(chunks) }),
        );
      })
        .on('error', reject)
        .end();
    });
  const file = '/storefront/v1/sdk.js';

  it('is the built file, open to pages of any origin, and may be kept', async () => {
    const answer = await get(file);
    assert.equal(answer.status, 200);
    assert.deepEqual(answer.body, files['sdk.js'].bytes);
    assert.equal(answer.headers['content-type'], 'text/javascript; charset=utf-8');
    assert.equal(answer.headers['access-control-allow-origin'], '*');
    assert.equal(answer.headers['cross-origin-resource-policy'], 'cross-origin');
    assert.match(answer.headers['cache-control'] ?? '', /^public, max-age=600/);
    assert.equal(answer.headers['x-content-type-options'], 'nosniff');
    assert.equal(answer.headers['content-encoding'], undefined);
  });

  it('has its declarations beside it, as a text that browsers show', async () => {
    const answer = await get('/storefront/v1/sdk.d.ts');
    assert.deepEqual([answer.status, answer.headers['content-type']], [200, 'text/plain; charset=utf-8']);
    assert.deepEqual(answer.body, files['sdk.d.ts'].bytes);
    assert.match(answer.body.toString(), /'storefront-success': CustomEvent<Submission>/);
  });

  it('is sent in the smallest encoding that is taken, each with a tag of its own', async () => {
    const cases = [
      ['gzip, deflate, br, zstd', 'br'],
      ['gzip;q=1.0, br;q=0', 'gzip'],
      ['GZIP', 'gzip'],
      ['gzip;q=0.000', undefined],
      ['broken', undefined],
      ['', undefined],
    ] as const;
    const tags = new Set<string>();
    for (const [accepted, encoding] of cases) {
      const answer = await get(file, { 'accept-encoding': accepted });
      assert.equal(answer.headers['content-encoding'], encoding, accepted);
      assert.equal(answer.headers.vary, 'Accept-Encoding');
      const decode =
        encoding === 'br' ? brotliDecompressSync : encoding === 'gzip' ? gunzipSync : (bytes: Buffer) => bytes;
      assert.deepEqual(decode(answer.body), files['sdk.js'].bytes);
      tags.add(answer.headers.etag ?? '');
    }
    assert.equal(tags.size, 3);
  });

  it('is not sent again to who has it', async () => {
    const { headers } = await get(file, { 'accept-encoding': 'br' });
    const known = headers.etag ?? '';
    for (const match of [known, `W/${known}`, `"other", ${known}`]) {
      const answer = await get(file, { 'accept-encoding': 'br', 'if-none-match': match });
      assert.equal(answer.status, 304, match);
      assert.equal(answer.body.length, 0);
      assert.equal(answer.headers['access-control-allow-origin'], '*');
    }
    assert.equal((await get(file, { 'if-none-match': known })).status, 200, 'another encoding is other bytes');
    assert.equal((await get(file, {}, 'HEAD')).body.length, 0);
    assert.equal((await get(file, {}, 'POST')).status, 405);
  });

  it('has languages beside it that pages of any origin may read, in the bytes that the script names', async () => {
    for (const script of ['sdk', 'shop'] as const)
      for (const language of ['de', 'es', 'ja'] as const) {
        const name = `${script}.${language}.json` as const;
        const answer = await get(`/storefront/v1/${name}?release`, { 'accept-encoding': 'br' });
        const bytes = brotliDecompressSync(answer.body);
        assert.deepEqual(
          [answer.status, answer.headers['content-type']],
          [200, 'application/json; charset=utf-8'],
          name,
        );
        assert.equal(answer.headers['access-control-allow-origin'], '*');
        const digest = createHash('sha256').update(bytes).digest('base64');
        for (const file of [files[`${script}.js`], files['all.js']]) assert.ok(file.bytes.includes(digest), name);
      }
    assert.equal((await get('/storefront/v1/sdk.fr.json')).status, 404);
  });

  it('is beside the shop, in a file of its own', async () => {
    for (const name of ['shop.js', 'shop.d.ts', 'all.js'] as const) {
      const answer = await get(`/storefront/v1/${name}`);
      assert.deepEqual(answer.body, files[name].bytes);
      assert.equal(answer.headers['content-type'], files[name].type);
    }
    const page = await get('/example/shop');
    assert.doesNotMatch(String(page.headers['content-security-policy']), /unsafe|\*|https?:/);
    assert.match(page.body.toString(), /src="\.\.\/storefront\/v1\/shop\.js"/);
    assert.equal((await get('-production/example/shop')).status, 404);
  });

  it('stands in a page whose policy admits its own script and style, and calls to its own storefront only', async () => {
    const answer = await get('/example?form=x&key=%3Cscript%3Ealert(1)%3C/script%3E');
    const page = answer.body.toString();
    assert.equal(answer.headers['content-type'], 'text/html; charset=utf-8');
    assert.doesNotMatch(page, /alert\(1\)/);
    assert.deepEqual(page.match(/<[a-z][^>]*\b(?:src|href|action)=[^>]*>/g), [
      '<script type="module" src="storefront/v1/sdk.js">',
    ]);
    const policy = String(answer.headers['content-security-policy']);
    assert.match(policy, /^default-src 'none'; /);
    assert.doesNotMatch(policy, /unsafe|\*|https?:/);
    for (const name of ['style', 'script']) {
      const [, text] = new RegExp(`<${name}(?: type="module")?>([^]+?)</${name}>`).exec(page) ?? [];
      assert.ok(
        policy.includes(
          `'sha256-${createHash('sha256')
            .update(text ?? '')
            .digest('base64')}'`,
        ),
        name,
      );
    }
    assert.deepEqual(answer.body, (await get('/example')).body, 'it is the same for everybody');
    assert.equal((await get('-production/example')).status, 404, 'it is for development');
    assert.equal((await get(`-production${file}`)).status, 200);
  });
});
