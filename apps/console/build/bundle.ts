import react from '@vitejs/plugin-react';
import type { InlineConfig, Plugin } from 'vite';
import { app, base } from './sources.ts';

/** A style sheet that comes first says how layers follow each other, and any may: a screen's comes when somebody goes there. */
const layers: Plugin = {
  name: 'layers',
  enforce: 'pre',
  transform: (text, id) =>
    id.endsWith('.css') ? { code: `@layer base, parts, shell, screens;\n${text}`, map: null } : null,
};

/** How Vite builds the pages, for nothing but the policy that they are served with: no inline script or style, no data: address. */
export const bundleInto = (outDir: string): InlineConfig => ({
  root: app,
  base,
  configFile: false,
  envDir: false,
  publicDir: false,
  logLevel: 'warn',
  plugins: [react(), layers],
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
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'base', test: isBase }] } } },
  },
});

/** What every screen needs is one file and one style sheet: each further one is a request before anything is seen. */
function isBase(id: string): boolean {
  if (id.includes('rolldown/runtime')) return true;
  if (
    /node_modules\/(?:react|react-dom|scheduler|@tanstack\/(?:react-router|router-core|history|react-query|query-core|react-store|store))\//.test(
      id,
    )
  )
    return true;
  const own = id.startsWith(app) ? id.slice(app.length) : undefined;
  return own !== undefined && /^\/?(?:(?:shell|parts|data)\/|[\w-]+\.css)/.test(own) && !later.test(own);
}

/** Loaded by who asks for it. */
const later = /(?:help|inspector|plot-drawn|table)\.(?:module\.css|tsx)/;
