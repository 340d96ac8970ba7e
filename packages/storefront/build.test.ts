import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { bundle, declare } from './build.ts';

const dist = join(import.meta.dirname, 'dist');

describe('the built file', () => {
  it('is what its sources make now: run `npm run build -w @steward/storefront`', async () => {
    assert.equal(await readFile(join(dist, 'storefront.js'), 'utf8'), await bundle());
  });

  it('has declarations that its sources make now', async () => {
    const target = await mkdtemp(join(tmpdir(), 'storefront-types-'));
    try {
      await declare(target);
      const files = async (folder: string): Promise<Record<string, string>> => {
        const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.d.ts')).toSorted();
        return Object.fromEntries(
          await Promise.all(names.map(async (name) => [name, await readFile(join(folder, name), 'utf8')] as const)),
        );
      };
      assert.deepEqual(await files(join(dist, 'types')), await files(target));
    } finally {
      await rm(target, { recursive: true });
    }
  });

  it('is at most 8 kB compressed, in four languages, and stands alone', async () => {
    const text = await readFile(join(dist, 'storefront.js'), 'utf8');
    const { length } = gzipSync(text, { level: 9 });
    assert.ok(length <= 8000, `${length} bytes`);
    assert.doesNotMatch(
      text,
      /\bimport\s*[("'{*]|\beval\b|new Function|innerHTML|outerHTML|insertAdjacentHTML|document\.write|\.style\b/,
    );
    for (const said of ['Send', 'Absenden', 'Enviar', '送信する']) assert.ok(text.includes(said), said);
  });

  it('can be imported where there is no page, and its client works there', async () => {
    assert.equal('document' in globalThis, false);
    const built = (await import(join(dist, 'storefront.js'))) as typeof import('./index.ts');
    assert.equal(typeof built.createStorefront({ baseUrl: 'https://example.com', sdkKey: 'x' }).schema, 'function');
    assert.equal(built.StorefrontFormElement.formAssociated, true);
  });
});
