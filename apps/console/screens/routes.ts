import type { ComponentType } from 'react';
import type { Words } from '../words/words.ts';

/** A page below `/o/{tenant}`; it is loaded when somebody goes there. */
export interface Screen {
  readonly path: `/${string}`;
  readonly load: () => Promise<{ readonly default: ComponentType }>;
}

/** Every screen, a line each: the router, the rail and the test of every screen read this list. `$name` is a parameter. */
export const screens: readonly Screen[] = [
  { path: '/', load: async () => import('./home/home.tsx') },
  { path: '/agents', load: async () => import('./agents/agents.tsx') },
  { path: '/agents/hire', load: async () => import('./agents/hire.tsx') },
  { path: '/agents/$id', load: async () => import('./agents/one.tsx') },
  { path: '/approvals', load: async () => import('./approvals/inbox.tsx') },
  { path: '/approvals/together', load: async () => import('./approvals/together.tsx') },
  { path: '/approvals/$id', load: async () => import('./approvals/one.tsx') },
  { path: '/activity', load: async () => import('./activity/activity.tsx') },
  { path: '/activity/verify', load: async () => import('./activity/verify.tsx') },
  { path: '/activity/$id', load: async () => import('./activity/one.tsx') },
  { path: '/commerce', load: async () => import('./commerce/orders.tsx') },
  { path: '/commerce/orders/$order', load: async () => import('./commerce/order.tsx') },
  { path: '/commerce/products', load: async () => import('./commerce/products.tsx') },
  { path: '/commerce/products/import', load: async () => import('./commerce/product-import.tsx') },
  { path: '/commerce/products/$product', load: async () => import('./commerce/product.tsx') },
  { path: '/commerce/stock', load: async () => import('./commerce/stock.tsx') },
  { path: '/commerce/checkouts', load: async () => import('./commerce/checkouts.tsx') },
  { path: '/commerce/discounts', load: async () => import('./commerce/discounts.tsx') },
  { path: '/commerce/shipping', load: async () => import('./commerce/shipping.tsx') },
  { path: '/commerce/doors', load: async () => import('./commerce/doors.tsx') },
  { path: '/commerce/connections', load: async () => import('./commerce/connections.tsx') },
  { path: '/developers', load: async () => import('./developers/developers.tsx') },
  { path: '/developers/errors', load: async () => import('./developers/errors.tsx') },
  { path: '/developers/keys', load: async () => import('./developers/keys.tsx') },
  { path: '/developers/webhooks', load: async () => import('./developers/webhooks.tsx') },
  { path: '/developers/webhooks/$id', load: async () => import('./developers/webhook.tsx') },
  { path: '/forms', load: async () => import('./forms/forms.tsx') },
  { path: '/forms/$form', load: async () => import('./forms/builder.tsx') },
  { path: '/forms/$form/submissions', load: async () => import('./forms/submissions.tsx') },
  { path: '/forms/$form/versions', load: async () => import('./forms/versions.tsx') },
  { path: '/forms/$form/page', load: async () => import('./forms/on-page.tsx') },
  { path: '/people', load: async () => import('./people/people.tsx') },
  { path: '/people/$person', load: async () => import('./people/person.tsx') },
  { path: '/money', load: async () => import('./money/overview.tsx') },
  { path: '/money/documents', load: async () => import('./money/documents.tsx') },
  { path: '/money/documents/new', load: async () => import('./money/document-edit.tsx') },
  { path: '/money/documents/$document', load: async () => import('./money/document.tsx') },
  { path: '/money/documents/$document/edit', load: async () => import('./money/document-change.tsx') },
  { path: '/money/payments', load: async () => import('./money/payments.tsx') },
  { path: '/money/payments/new', load: async () => import('./money/payment-new.tsx') },
  { path: '/money/payments/$payment', load: async () => import('./money/payment.tsx') },
  { path: '/money/bank', load: async () => import('./money/bank.tsx') },
  { path: '/money/bank/$account', load: async () => import('./money/bank-account.tsx') },
  { path: '/money/reports', load: async () => import('./money/reports.tsx') },
  { path: '/money/reports/$report', load: async () => import('./money/report.tsx') },
  { path: '/money/ledger/$account', load: async () => import('./money/ledger.tsx') },
  { path: '/money/entries', load: async () => import('./money/entries.tsx') },
  { path: '/money/entries/new', load: async () => import('./money/entry-new.tsx') },
  { path: '/money/entries/$entry', load: async () => import('./money/entry.tsx') },
  { path: '/money/close', load: async () => import('./money/close.tsx') },
  { path: '/settings', load: async () => import('./settings/settings.tsx') },
  { path: '/settings/billing', load: async () => import('./settings/billing.tsx') },
  { path: '/settings/brands', load: async () => import('./settings/brands.tsx') },
  { path: '/settings/data', load: async () => import('./settings/data.tsx') },
  { path: '/settings/policy', load: async () => import('./settings/policy.tsx') },
  { path: '/settings/sessions', load: async () => import('./settings/sessions.tsx') },
];

type Area = Exclude<keyof Words, 'shell' | 'parts'>;

const beside: Partial<Record<Area, readonly Area[]>> = { commerce: ['selling'], people: ['commerce'] };

/** Whose words a screen says: those of its folder, and of folders that it takes parts of. */
export function areasOf(path: Screen['path']): readonly Area[] {
  const [, first = ''] = path.split('/');
  const own = (first === '' ? 'home' : first) as Area;
  return [own, ...(beside[own] ?? [])];
}
