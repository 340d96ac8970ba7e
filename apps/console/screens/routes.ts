import type { ComponentType } from 'react';
import type { ReadsOf } from '../data/ahead.ts';
import type { Words } from '../words/words.ts';

/** A page below `/o/{tenant}`; it is loaded when somebody goes there. */
export interface Screen {
  readonly path: `/${string}`;
  readonly load: () => Promise<{ readonly default: ComponentType }>;
  /** What it reads, asked for while it is loaded and drawn. */
  readonly reads?: () => Promise<ReadsOf>;
}

/** The screens of a folder are one file: each further one is a request before anything of them is seen. */
const of =
  <Name extends string, Folder extends Readonly<Record<Name, ComponentType>>>(
    folder: () => Promise<Folder>,
    name: Name,
  ): Screen['load'] =>
  async () => ({ default: (await folder())[name] });

const activity = async () => import('./activity/screens.ts');
const agents = async () => import('./agents/screens.ts');
const approvals = async () => import('./approvals/screens.ts');
const commerce = async () => import('./commerce/screens.ts');
const developers = async () => import('./developers/screens.ts');
const forms = async () => import('./forms/screens.ts');
const home = async () => import('./home/screens.ts');
const money = async () => import('./money/screens.ts');
const people = async () => import('./people/screens.ts');
const settings = async () => import('./settings/screens.ts');

/** Every screen, a line each: the router, the rail and the test of every screen read this list. `$name` is a parameter. */
export const screens: readonly Screen[] = [
  { path: '/', load: of(home, 'Home'), reads: async () => (await home()).readsOf },
  { path: '/agents', load: of(agents, 'Agents') },
  { path: '/agents/hire', load: of(agents, 'Hire') },
  { path: '/agents/$id', load: of(agents, 'One') },
  { path: '/approvals', load: of(approvals, 'Inbox') },
  { path: '/approvals/together', load: of(approvals, 'Together') },
  { path: '/approvals/$id', load: of(approvals, 'One') },
  { path: '/activity', load: of(activity, 'Activity') },
  { path: '/activity/verify', load: of(activity, 'Verify') },
  { path: '/activity/$id', load: of(activity, 'One') },
  { path: '/commerce', load: of(commerce, 'Orders') },
  { path: '/commerce/orders/$order', load: of(commerce, 'Order') },
  { path: '/commerce/products', load: of(commerce, 'Products') },
  { path: '/commerce/products/import', load: of(commerce, 'ProductImport') },
  { path: '/commerce/products/$product', load: of(commerce, 'Product') },
  { path: '/commerce/stock', load: of(commerce, 'Stock') },
  { path: '/commerce/checkouts', load: of(commerce, 'Checkouts') },
  { path: '/commerce/discounts', load: of(commerce, 'Discounts') },
  { path: '/commerce/shipping', load: of(commerce, 'Shipping') },
  { path: '/commerce/doors', load: of(commerce, 'Doors') },
  { path: '/commerce/channels', load: of(commerce, 'Channels') },
  { path: '/commerce/connections', load: of(commerce, 'Connections') },
  { path: '/developers', load: of(developers, 'Developers') },
  { path: '/developers/errors', load: of(developers, 'Errors') },
  { path: '/developers/keys', load: of(developers, 'Keys') },
  { path: '/developers/webhooks', load: of(developers, 'Webhooks') },
  { path: '/developers/webhooks/$id', load: of(developers, 'Webhook') },
  { path: '/forms', load: of(forms, 'Forms') },
  { path: '/forms/$form', load: of(forms, 'Builder') },
  { path: '/forms/$form/submissions', load: of(forms, 'Submissions') },
  { path: '/forms/$form/versions', load: of(forms, 'Versions') },
  { path: '/forms/$form/page', load: of(forms, 'OnPage') },
  { path: '/people', load: of(people, 'People') },
  { path: '/people/$person', load: of(people, 'Person') },
  { path: '/money', load: of(money, 'Overview') },
  { path: '/money/documents', load: of(money, 'Documents') },
  { path: '/money/documents/new', load: of(money, 'DocumentEdit') },
  { path: '/money/documents/$document', load: of(money, 'Document') },
  { path: '/money/documents/$document/edit', load: of(money, 'DocumentChange') },
  { path: '/money/payments', load: of(money, 'Payments') },
  { path: '/money/payments/new', load: of(money, 'PaymentNew') },
  { path: '/money/payments/$payment', load: of(money, 'Payment') },
  { path: '/money/bank', load: of(money, 'Bank') },
  { path: '/money/bank/$account', load: of(money, 'BankAccount') },
  { path: '/money/reports', load: of(money, 'Reports') },
  { path: '/money/reports/$report', load: of(money, 'Report') },
  { path: '/money/ledger/$account', load: of(money, 'Ledger') },
  { path: '/money/entries', load: of(money, 'Entries') },
  { path: '/money/entries/new', load: of(money, 'EntryNew') },
  { path: '/money/entries/$entry', load: of(money, 'Entry') },
  { path: '/money/close', load: of(money, 'Close') },
  { path: '/settings', load: of(settings, 'Settings') },
  { path: '/settings/billing', load: of(settings, 'Billing') },
  { path: '/settings/brands', load: of(settings, 'Brands') },
  { path: '/settings/data', load: of(settings, 'Data') },
  { path: '/settings/policy', load: of(settings, 'Policy') },
  { path: '/settings/sessions', load: of(settings, 'Sessions') },
];

type Area = Exclude<keyof Words, 'shell' | 'parts' | 'tools' | 'events'>;

const beside: Partial<Record<Area, readonly Area[]>> = {
  agents: ['settings'],
  // One file has the words of both (words/language.ts).
  approvals: ['deciding', 'labels'],
  commerce: ['selling'],
  people: ['commerce'],
  settings: ['agents'],
};

/** Whose words a screen says: those of its folder, and of folders that it takes parts of. */
export function areasOf(path: Screen['path']): readonly Area[] {
  const [, first = ''] = path.split('/');
  const own = (first === '' ? 'home' : first) as Area;
  return [own, ...(beside[own] ?? [])];
}
