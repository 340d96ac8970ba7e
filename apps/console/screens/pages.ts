import type { To } from '../shell/go.tsx';
import type { Words } from '../words/words.ts';

/** A page of a section, as tabs and the search for pages name it; `pages`: with pages of its own below it. */
export type PageWithin = readonly [to: To, name: string, has?: 'pages'];

/** Whose webhooks they are. */
export const mayBuild = ['owner', 'admin', 'developer'] as const;

/** The pages of the sections that have several. */
export const pagesWithin = {
  money: ({ money: { tabs } }: Words): readonly PageWithin[] => [
    ['/money', tabs.overview],
    ['/money/documents', tabs.documents, 'pages'],
    ['/money/payments', tabs.payments, 'pages'],
    ['/money/bank', tabs.bank, 'pages'],
    ['/money/reports', tabs.reports, 'pages'],
    ['/money/entries', tabs.entries, 'pages'],
    ['/money/close', tabs.close],
  ],
  commerce: ({ commerce, selling }: Words): readonly PageWithin[] => [
    ['/commerce', commerce.orders],
    ['/commerce/products', commerce.catalogue],
    ['/commerce/stock', commerce.stock],
    ['/commerce/checkouts', selling.checkouts],
    ['/commerce/discounts', selling.discounts],
    ['/commerce/shipping', selling.shippingAndTax],
    ['/commerce/doors', selling.doors],
    ['/commerce/channels', selling.channels.title],
    ['/commerce/connections', selling.connections],
  ],
  developers: ({ developers }: Words, builds: boolean): readonly PageWithin[] => [
    ['/developers', developers.connect],
    ['/developers/keys', developers.keys],
    ...(builds ? ([['/developers/webhooks', developers.webhooks]] as const) : []),
    ['/developers/errors', developers.errors],
  ],
  settings: ({ settings }: Words): readonly PageWithin[] => [
    ['/settings', settings.members],
    ['/settings/brands', settings.brands],
    ['/settings/policy', settings.policy],
    ['/settings/billing', settings.billing],
    ['/settings/sessions', settings.sessions],
    ['/settings/data', settings.data],
  ],
} as const;
