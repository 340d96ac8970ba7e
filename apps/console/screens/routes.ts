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
  { path: '/developers/errors', load: async () => import('./developers/errors.tsx') },
  { path: '/developers/keys', load: async () => import('./developers/keys.tsx') },
  { path: '/developers/webhooks', load: async () => import('./developers/webhooks.tsx') },
  { path: '/developers/webhooks/$id', load: async () => import('./developers/webhook.tsx') },
  { path: '/settings', load: async () => import('./settings/settings.tsx') },
  { path: '/settings/billing', load: async () => import('./settings/billing.tsx') },
  { path: '/settings/brands', load: async () => import('./settings/brands.tsx') },
  { path: '/settings/data', load: async () => import('./settings/data.tsx') },
  { path: '/settings/policy', load: async () => import('./settings/policy.tsx') },
  { path: '/settings/sessions', load: async () => import('./settings/sessions.tsx') },
];
