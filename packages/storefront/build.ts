import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { build, transform } from 'esbuild';
import { texts as formTexts } from './messages/texts.ts';
import { texts as shopTexts } from './shop/texts.ts';

const folder = import.meta.dirname;

/** What is shipped: forms by themselves, so that a page with a form alone loads no shop; the shop; and both, for a page that has both. */
export const entries = { storefront: 'index.ts', shop: 'shop.ts', all: 'all.ts' } as const;
type Entry = keyof typeof entries;
/** What has words of its own. */
type Spoken = keyof typeof texts;

/** Names of members that no page sees, no server says and no browser has: the test of the build looks for each. */
export const inner = {
  storefront:
    /^(?:again|anchor|button|check|done|enter|expected|fallback|faults|flag|inner|list|live|problem|read|root|said|show|text|thanks|write)$/,
  shop: /^(?:address|announce|back|billing|content|draw|emit|english|fault|fields|heading|input|level|load|main|notes|one|payments|problem|read|reason|root|said|shop|show|spare|spoken|testing|tiers|waiting|words|write)$/,
  // Of each of the two, what is inner in the other too.
  all: /^(?:again|anchor|announce|back|billing|check|content|draw|emit|english|enter|expected|fault|faults|flag|heading|inner|level|notes|payments|root|said|show|testing|waiting|words|write)$/,
} satisfies Record<Entry, RegExp>;

const texts = { storefront: formTexts, shop: shopTexts } satisfies Record<
  string,
  Readonly<Record<string, readonly string[]>>
>;
const column = (entry: Spoken, at: number): string =>
  JSON.stringify(Object.fromEntries(Object.entries(texts[entry]).map(([key, row]) => [key, row[at]])));

/** What is said in each language but English, by language: a page in none of them loads none. */
export const languagesOf = (entry: Spoken): Readonly<Record<string, string>> => ({
  de: column(entry, 1),
  es: column(entry, 2),
  ja: column(entry, 3),
});

/** In place of `languages.ts`: English, and how the others are known. */
function shippedLanguages(entry: Spoken): string {
  const digests = Object.entries(languagesOf(entry)).map(([language, text]) => [
    language,
    createHash('sha256').update(text).digest('base64'),
  ]);
  return `export const shipped = { en: ${column(entry, 0)} };\nexport const digests = ${JSON.stringify(Object.fromEntries(digests))};`;
}

/** All of an entry as one module, byte for byte the same from the same sources. */
export async function bundle(entry: Entry): Promise<string> {
  const { outputFiles } = await build({
    absWorkingDir: folder,
    entryPoints: [entries[entry]],
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    charset: 'utf8',
    legalComments: 'none',
    mangleProps: inner[entry],
    write: false,
    tsconfigRaw: {},
    plugins: [
      {
        name: 'languages beside it',
        setup: (plugin) => {
          plugin.onLoad({ filter: /[\\/]languages\.ts$/ }, ({ path }) => ({
            contents: shippedLanguages(basename(dirname(path)) === 'shop' ? 'shop' : 'storefront'),
            loader: 'js',
          }));
        },
      },
      {
        name: 'style as text',
        setup: (plugin) => {
          plugin.onLoad({ filter: /\.css$/ }, async ({ path }) => {
            const { code } = await transform(await readFile(path, 'utf8'), { loader: 'css', minify: true });
            // It keeps the spaces of custom properties, which may hold anything; ours need none.
            return { contents: code.trim().replaceAll(/(?<=[,:]) /g, ''), loader: 'text' };
          });
        },
      },
    ],
  });
  return outputFiles[0]?.text ?? '';
}

/** The declarations of each entry as one module, which a page's own project can take beside the file. */
export async function declarations(): Promise<Record<Entry, string>> {
  const target = await mkdtemp(join(tmpdir(), 'storefront-types-'));
  try {
    const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin', 'tsc');
    const project = join(folder, 'tsconfig.build.json');
    await promisify(execFile)(process.execPath, [compiler, '-p', project, '--outDir', target]);
    const made = (entry: Spoken): Promise<string> => joined(join(target, entries[entry].replace('.ts', '.d.ts')));
    // Both declare the error, which is one class here.
    const all = `export * from './storefront.js';\nexport * from './shop.js';\nexport { StorefrontError, type FieldError } from './storefront.js';\n`;
    return { storefront: await made('storefront'), shop: await made('shop'), all };
  } finally {
    await rm(target, { recursive: true });
  }
}

/** What stands behind `from`, each file once and before those that need it; only what the first one exports stays exported. */
async function joined(entry: string): Promise<string> {
  const seen = new Set<string>();
  const take = async (file: string): Promise<string> => {
    if (seen.has(file)) return '';
    seen.add(file);
    const text = await readFile(file, 'utf8');
    const needed = [...text.matchAll(/ from '(\.[^']+)\.ts';/g)].map(([, path = '']) =>
      join(dirname(file), `${path}.d.ts`),
    );
    const before: string[] = [];
    for (const path of needed) before.push(await take(path));
    const bare = text.replaceAll(/^import .*;\n/gm, '').replaceAll(/^export \{\};\n/gm, '');
    const own =
      file === entry
        ? bare.replaceAll(/ from '\.[^']+';/g, ';')
        : bare.replaceAll(/^export \{[^}]*\} from .*;\n/gm, '').replaceAll(/^export /gm, '');
    return [...before, own].join('');
  };
  return take(entry);
}

if (import.meta.main) {
  const typed = await declarations();
  await rm(join(folder, 'dist'), { recursive: true, force: true });
  await mkdir(join(folder, 'dist'));
  for (const entry of Object.keys(entries) as Entry[]) {
    await writeFile(join(folder, 'dist', `${entry}.js`), await bundle(entry));
    await writeFile(join(folder, 'dist', `${entry}.d.ts`), typed[entry]);
  }
  for (const entry of ['storefront', 'shop'] as const)
    for (const [language, text] of Object.entries(languagesOf(entry)))
      await writeFile(join(folder, 'dist', `${entry}.${language}.json`), text);
}
