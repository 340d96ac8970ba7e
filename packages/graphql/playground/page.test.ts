import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, it } from 'node:test';
import { createLog, fail } from '@steward/kernel';
import { createGraph } from '../index.ts';
import { library } from '../sample/library.ts';
import { serve } from '../sample/serve.ts';

const graph = createGraph({ modules: [library], graphiql: true, log: createLog('silent') });
const served = await serve(graph, () => {
  throw fail('unauthenticated');
});
after(async () => served[Symbol.asyncDispose]());
const browser = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };

it('a browser gets a page that loads nothing, and whose policy admits its own script and style only', async () => {
  const response = await fetch(served.url, { headers: browser });
  const html = await response.text();
  assert.equal(response.headers.get('content-type'), 'text/html; charset=utf-8');
  assert.doesNotMatch(html, /(?:src|href|action)=|https?:|@import|url\(/);
  const policy = response.headers.get('content-security-policy') ?? '';
  assert.match(policy, /default-src 'none'/);
  for (const name of ['style', 'script']) {
    const [, text] = new RegExp(`<${name}[^>]*>([^]+)</${name}>`).exec(html) ?? [];
    assert.ok(text !== undefined && text.length > 100);
    assert.ok(policy.includes(`${name}-src 'sha256-${createHash('sha256').update(text).digest('base64')}'`), name);
  }
});

it('the page opens no door: an operation still passes the guard, whatever the browser accepts', async () => {
  const response = await fetch(`${served.url}?query=${encodeURIComponent('{ genre }')}`, { headers: browser });
  assert.equal(response.status, 401);
  assert.equal((await served.ask('{ genre }')).status, 401);
});
