import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { compile } from 'svelte/compiler';
import { compileScript, parse } from 'vue/compiler-sfc';

/** A page of each framework, written as its users write it; they have the same buttons and show the same form. */
export const pages = { 'React 19': 'react/page.tsx', 'Vue 3': 'vue/page.js', 'Svelte 5': 'svelte/page.js' } as const;

const ours = { isCustomElement: (tag: string): boolean => tag === 'storefront-form' };

/** What the frameworks' own plugins for bundlers do, as far as these pages need it. */
const components: Plugin = {
  name: 'components',
  setup: (plugin) => {
    plugin.onLoad({ filter: /\.svelte$/ }, async ({ path }) => {
      const { js } = compile(await readFile(path, 'utf8'), { filename: path, generate: 'client' });
      return { contents: js.code };
    });
    plugin.onLoad({ filter: /\.vue$/ }, async ({ path }) => {
      const source = await readFile(path, 'utf8');
      const { descriptor } = parse(source, { filename: path, templateParseOptions: ours });
      const { content } = compileScript(descriptor, {
        id: path,
        inlineTemplate: true,
        // A template that was compiled before is parsed anew, with these.
        templateOptions: { compilerOptions: ours },
      });
      return { contents: content };
    });
  },
};

/** @returns one module; with the SDK in it, as `import '@steward/storefront'` brings it, where asked for */
export async function bundle(page: string, { sdk }: { readonly sdk: boolean }): Promise<string> {
  const { outputFiles } = await build({
    stdin: {
      contents: `${sdk ? "import '@steward/storefront';\n" : ''}import './${page}';`,
      resolveDir: join(import.meta.dirname),
    },
    bundle: true,
    format: 'esm',
    target: 'es2022',
    jsx: 'automatic',
    conditions: ['browser'],
    define: {
      'process.env.NODE_ENV': '"development"',
      __VUE_OPTIONS_API__: 'true',
      __VUE_PROD_DEVTOOLS__: 'false',
      __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: 'false',
    },
    plugins: [components],
    write: false,
    logLevel: 'silent',
  });
  return outputFiles[0]?.text ?? '';
}
