import react from '@vitejs/plugin-react';
import type { InlineConfig } from 'vite';
import { app, base } from './sources.ts';

/** How Vite builds the pages, for nothing but the policy that they are served with: no inline script or style, no data: address. */
export const bundleInto = (outDir: string): InlineConfig => ({
  root: app,
  base,
  configFile: false,
  envDir: false,
  publicDir: false,
  logLevel: 'warn',
  plugins: [react()],
  build: {
    outDir,
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    manifest: 'manifest.json',
    // Browsers with light-dark(), Ed25519 and popover.
    target: ['chrome137', 'firefox129', 'safari17.5'],
  },
});
