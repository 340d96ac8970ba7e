import { execFile } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
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
            return { contents: code.trim(), loader: 'text' };
          });
        },
      },
    ],
  });
  return outputFiles[0]?.text ?? '';
}

/** Writes the declarations of the sources to a folder. */
export async function declare(target: string): Promise<void> {
  const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin', 'tsc');
  await promisify(execFile)(process.execPath, [
    compiler,
    '-p',
    join(folder, 'tsconfig.build.json'),
    '--outDir',
    target,
  ]);
}

if (import.meta.main) {
  await rm(join(folder, 'dist'), { recursive: true, force: true });
  await mkdir(join(folder, 'dist'));
  await writeFile(join(folder, 'dist', 'storefront.js'), await bundle());
  await declare(join(folder, 'dist', 'types'));
}
