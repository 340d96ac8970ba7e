import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { build, transform } from 'esbuild';

const folder = import.meta.dirname;

/** The whole package as one module, byte for byte the same from the same sources. */
export async function bundle(): Promise<string> {
  const { outputFiles } = await build({
    absWorkingDir: folder,
    entryPoints: ['index.ts'],
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    charset: 'utf8',
    legalComments: 'none',
    // Of fields and what stands around them, which no page sees.
    mangleProps:
      /^(?:again|anchor|button|check|done|enter|expected|fallback|faults|flag|inner|list|live|problem|read|root|said|show|text|thanks|write)$/,
    write: false,
    tsconfigRaw: {},
    plugins: [
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

/** The declarations as one module, which a page's own project can take beside the file. */
export async function declarations(): Promise<string> {
  const target = await mkdtemp(join(tmpdir(), 'storefront-types-'));
  try {
    const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin', 'tsc');
    const project = join(folder, 'tsconfig.build.json');
    await promisify(execFile)(process.execPath, [compiler, '-p', project, '--outDir', target]);
    return await joined(join(target, 'index.d.ts'));
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
    const own = file === entry ? bare.replaceAll(/ from '\.[^']+';/g, ';') : bare.replaceAll(/^export /gm, '');
    return [...before, own].join('');
  };
  return take(entry);
}

if (import.meta.main) {
  await rm(join(folder, 'dist'), { recursive: true, force: true });
  await mkdir(join(folder, 'dist'));
  await writeFile(join(folder, 'dist', 'storefront.js'), await bundle());
  await writeFile(join(folder, 'dist', 'storefront.d.ts'), await declarations());
}
