import { basename, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import type { InlineConfig, Plugin } from 'vite';
import { app, base } from './sources.ts';

/**
 * React is written in CommonJS, so that each file that imports it takes the bundler's interoperation from a file of its own: a request before anything
 * is seen. The one module of each that does it here is in the base.
 */
const wrapped = new Set(['react', 'react/jsx-runtime', 'react-dom', 'react-dom/client']);
const asModule = '\0module of ';
const reactAsModules: Plugin = {
  name: 'react-as-modules',
  enforce: 'pre',
  resolveId: (source, _importer, { kind }) =>
    wrapped.has(source) && kind !== 'require-call' ? `${asModule}${source}` : undefined,
  load: async (id) => {
    if (!id.startsWith(asModule)) return undefined;
    const source = id.slice(asModule.length);
    const names = Object.keys((await import(source)) as object).filter(
      (name) => /^[a-z_]\w*$/i.test(name) && name !== 'default',
    );
    const whole = fileURLToPath(import.meta.resolve(source));
    return `import whole from ${JSON.stringify(whole)};\nexport default whole;\nexport const { ${names.join(', ')} } = whole;`;
  },
};

/** How Vite builds the pages, for nothing but the policy that they are served with: no inline script or style, no data: address. */
export const bundleInto = (outDir: string): InlineConfig => ({
  root: app,
  base,
  configFile: false,
  envDir: false,
  publicDir: false,
  logLevel: 'warn',
  plugins: [react(), reactAsModules],
  build: {
    outDir,
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    manifest: 'manifest.json',
    // Beside the pages and never served: what tells a place in a file from a place in its sources.
    sourcemap: 'hidden',
    // Browsers with light-dark(), Ed25519 and popover.
    target: ['chrome137', 'firefox129', 'safari17.5'],
    cssCodeSplit: false,
    rolldownOptions: {
      output: { chunkFileNames: nameOf, codeSplitting: { groups: [{ name: 'base', test: isBase }] } },
    },
  },
});

/** Screens are called as their folder. */
const nameOf = ({ facadeModuleId }: { readonly facadeModuleId: string | null }): string =>
  `assets/${facadeModuleId?.endsWith('/screens.ts') === true ? basename(dirname(facadeModuleId)) : '[name]'}-[hash].js`;

/**
 * What every screen needs is one file, with the screens that people come to from elsewhere, and so is every style: each further one is a request before
 * anything is seen.
 */
function isBase(id: string): boolean {
  if (id.startsWith(asModule)) return true;
  if (
    /node_modules\/(?:react|react-dom|scheduler|@tanstack\/(?:react-router|router-core|history|react-query|query-core|react-store|store))\//.test(
      id,
    )
  )
    return true;
  const own = id.startsWith(app) ? id.slice(app.length) : undefined;
  return own !== undefined && first.test(own) && !later.test(own);
}

const first = /^\/?(?:main\.tsx$|(?:shell|parts|data|screens\/(?:home|approvals))\/|[\w-]+\.css)/;

/** Loaded by who asks for it. */
const later = /(?:help|inspector|plot-drawn|table)\.(?:module\.css|tsx)/;
