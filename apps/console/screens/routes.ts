import type { ComponentType } from 'react';

/** A page below `/o/{tenant}`; it is loaded when somebody goes there. */
export interface Screen {
  readonly path: `/${string}`;
  readonly load: () => Promise<{ readonly default: ComponentType }>;
}

/** Every screen, a line each: the router, the rail and the test of every screen read this list. `$name` is a parameter. */
export const screens: readonly Screen[] = [
  { path: '/', load: async () => import('./home/home.tsx') },
  { path: '/developers', load: async () => import('./developers/developers.tsx') },
  { path: '/settings', load: async () => import('./settings/settings.tsx') },
];
