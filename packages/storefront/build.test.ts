import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { bundle, declarations, entries, inner, languagesOf } from './build.ts';

const dist = join(import.meta.dirname, 'dist');
const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin', 'tsc');
const run = promisify(execFile);

describe('the built file', () => {
  it('is what its sources make now: run `npm run build -w @steward/storefront`', async () => {
    for (const entry of ['storefront', 'shop', 'all'] as const)
      assert.equal(await readFile(join(dist, `${entry}.js`), 'utf8'), await bundle(entry), entries[entry]);
    for (const entry of ['storefront', 'shop'] as const)
      for (const [language, text] of Object.entries(languagesOf(entry)))
        assert.equal(await readFile(join(dist, `${entry}.${language}.json`), 'utf8'), text, `${entry}.${language}`);
  });

  it('has declarations that its sources make now, in one file that types its events', async () => {
    const made = await readFile(join(dist, 'storefront.d.ts'), 'utf8');
    const shop = await readFile(join(dist, 'shop.d.ts'), 'utf8');
    const all = await readFile(join(dist, 'all.d.ts'), 'utf8');
    assert.deepEqual({ storefront: made, shop, all }, await declarations());
    const page = await mkdtemp(join(tmpdir(), 'storefront-page-'));
    try {
      await writeFile(join(page, 'sdk.d.ts'), made);
      await writeFile(join(page, 'storefront.d.ts'), made);
      await writeFile(join(page, 'all.d.ts'), all);
      await writeFile(join(page, 'shop.d.ts'), shop);
      const check = async (program: string): Promise<string> => {
        await writeFile(join(page, 'page.ts'), program);
        const flags = [
          '--strict',
          '--noEmit',
          '--target',
          'esnext',
          '--module',
          'esnext',
          '--moduleResolution',
          'bundler',
        ];
        const args = [
          compiler,
          ...flags,
          '--ignoreConfig',
          '--lib',
          'esnext,dom',
          '--types',
          '',
          join(page, 'page.ts'),
        ];
        return run(process.execPath, args).then(
          () => '',
          (error: { stdout: string }) => error.stdout,
        );
      };
      const program = `
        import { createStorefront, type Submission, StorefrontError } from './sdk';
        import { createShop, type Cart, type Facet, type ProductPage } from './shop';
        const cart: Promise<Cart | undefined> = createShop({ baseUrl: 'https://shop.example', sdkKey: 'pk' }).cart.get();
        void cart;
        void createShop({ baseUrl: 'https://shop.example', sdkKey: 'pk' }).products
          .list({ option: ['Colour:Red', 'Size:M'], facets: ['option:Colour', 'vendor'] })
          .then(({ facets = [] }: ProductPage) => facets.map(({ name, values }: Facet) => name + values[0]?.count));
        document.querySelector('storefront-product')!.addEventListener('storefront-added', ({ detail }) => { void detail.cart.total.amount; });
        const form = document.querySelector('storefront-form')!;
        form.data = { name: 'Ada' };
        form.addEventListener('storefront-submit', ({ detail }) => { detail.data['page'] = location.href; });
        form.addEventListener('storefront-success', ({ detail }) => { const stored: Submission = detail; void stored.contactId; });
        document.addEventListener('storefront-error', ({ detail }) => { if (detail instanceof StorefrontError) void detail.retryAfter; });
        void createStorefront({ baseUrl: 'https://shop.example', sdkKey: 'pk' }).schema('x').then(({ fields }) => fields.length);`;
      assert.equal(await check(program), '');
      assert.equal(await check(program.replace("'./sdk'", "'./all'").replace("'./shop'", "'./all'")), '');
      assert.match(await check(program.replace("'vendor'", "'maker'")), /maker/);
      assert.match(await check(program.replace('detail.retryAfter', 'detail.retryLater')), /retryLater/);
    } finally {
      await rm(page, { recursive: true });
    }
  });

  it('is a package that could be published: these files, and nothing that a stranger would have to have', async () => {
    const { stdout } = await run('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
      cwd: import.meta.dirname,
    });
    const [packed] = JSON.parse(stdout) as [{ files: { path: string }[] }];
    const files = packed.files.map(({ path }) => path).toSorted();
    assert.deepEqual(files, [
      'LICENSE',
      'README.md',
      'dist/all.d.ts',
      'dist/all.js',
      'dist/shop.d.ts',
      'dist/shop.de.json',
      'dist/shop.es.json',
      'dist/shop.ja.json',
      'dist/shop.js',
      'dist/storefront.d.ts',
      'dist/storefront.de.json',
      'dist/storefront.es.json',
      'dist/storefront.ja.json',
      'dist/storefront.js',
      'package.json',
    ]);
    const manifest = JSON.parse(await readFile(join(import.meta.dirname, 'package.json'), 'utf8')) as Record<
      string,
      unknown
    >;
    assert.deepEqual([manifest['private'], manifest['dependencies']], [undefined, undefined]);
    assert.equal(
      await readFile(join(import.meta.dirname, 'LICENSE'), 'utf8'),
      await readFile(join(import.meta.dirname, '../../LICENSE'), 'utf8'),
    );
  });

  it('is small compressed: each script, all in one, and a language beside each; scripts stand alone', async () => {
    const packed = async (name: string): Promise<number> =>
      gzipSync(await readFile(join(dist, name)), { level: 9 }).length;
    for (const [entry, most, mostOfLanguage] of [
      ['storefront', 7_000, 750],
      ['shop', 18_800, 1_700],
      ['all', 24_000, 0],
    ] as const) {
      const size = await packed(`${entry}.js`);
      assert.ok(size <= most, `${entry}: ${size} bytes`);
      const text = await readFile(join(dist, `${entry}.js`), 'utf8');
      assert.doesNotMatch(
        text,
        /\bimport\s*[("'{*]|\beval\b|new Function|innerHTML|outerHTML|insertAdjacentHTML|document\.write|\.style\b/,
      );
      for (const language of entry === 'all' ? [] : Object.keys(languagesOf(entry))) {
        const more = await packed(`${entry}.${language}.json`);
        assert.ok(more <= mostOfLanguage, `${entry}.${language}: ${more} bytes`);
      }
    }
  });

  it('shortens no name of the browser, and none that pages or the server say', async () => {
    const require = createRequire(import.meta.url);
    const platform = createRequire(require.resolve('typescript/package.json'));
    const library = await readFile(
      join(
        dirname(platform.resolve(`@typescript/typescript-${process.platform}-${process.arch}/package.json`)),
        'lib/lib.dom.d.ts',
      ),
      'utf8',
    );
    const said = { storefront: ['schema.ts'], shop: ['shop-types.ts'], all: ['schema.ts', 'shop-types.ts'] } as const;
    const member = /^ +(?:readonly |get |set )?(\w+)\??[(:<]/;
    const folder = await mkdtemp(join(tmpdir(), 'storefront-names-'));
    try {
      for (const entry of ['storefront', 'shop', 'all'] as const) {
        const isInner = (line: string): boolean => inner[entry].test(member.exec(line)?.[1] ?? '');
        for (const file of said[entry]) {
          const lines = (await readFile(join(import.meta.dirname, 'client', file), 'utf8')).split('\n');
          assert.ok(lines.some((line) => member.test(line)));
          assert.deepEqual(lines.filter(isInner), [], `${entry}: ${file}`);
        }
        // Without them the browser has none, so whoever asks it for one is no program.
        const rest = library.split('\n').filter((line) => !isInner(line) && !line.startsWith('/// <reference'));
        assert.ok(rest.length < library.split('\n').length - 10);
        await writeFile(join(folder, 'dom.d.ts'), rest.join('\n'));
        const settings = {
          extends: join(import.meta.dirname, 'tsconfig.json'),
          compilerOptions: { lib: ['esnext'], types: [], skipLibCheck: true },
          include: [],
          files: [
            join(folder, 'dom.d.ts'),
            ...[entries[entry], 'element/css.d.ts'].map((file) => join(import.meta.dirname, file)),
          ],
        };
        await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(settings));
        const checked = await run(process.execPath, [compiler, '-p', folder]).catch(
          (error: { stdout: string }) => error,
        );
        assert.equal(checked.stdout, '', entry);
      }
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('has English in the script, and names the bytes of each other language, so that what is promised of it holds of them', async () => {
    for (const [entry, english, others] of [
      ['storefront', 'Send', { de: 'Absenden', es: 'Enviar', ja: '送信する' }],
      ['shop', 'Add to cart', { de: 'In den Warenkorb', es: 'Añadir al carrito', ja: 'カートに入れる' }],
    ] as const) {
      const script = await readFile(join(dist, `${entry}.js`), 'utf8');
      assert.ok(script.includes(english));
      for (const [language, said] of Object.entries(others)) {
        const file = await readFile(join(dist, `${entry}.${language}.json`), 'utf8');
        assert.ok(file.includes(`"${said}"`) && !script.includes(said), said);
        assert.ok(script.includes(createHash('sha256').update(file).digest('base64')), `${entry}.${language}`);
      }
    }
  });

  it('can be imported where there is no page, and its client works there', async () => {
    assert.equal('document' in globalThis, false);
    const built = (await import(join(dist, 'storefront.js'))) as typeof import('./index.ts');
    assert.equal(typeof built.createStorefront({ baseUrl: 'https://example.com', sdkKey: 'x' }).schema, 'function');
    assert.equal(built.StorefrontFormElement.formAssociated, true);
    const shop = (await import(join(dist, 'shop.js'))) as typeof import('./shop.ts');
    assert.equal(typeof shop.createShop({ baseUrl: 'https://example.com', sdkKey: 'x' }).cart.add, 'function');
    const all = (await import(join(dist, 'all.js'))) as typeof built & typeof shop;
    assert.deepEqual(
      Object.keys(all).toSorted(),
      [...new Set([...Object.keys(built), ...Object.keys(shop)])].toSorted(),
      'all has what the two have',
    );
  });
});
