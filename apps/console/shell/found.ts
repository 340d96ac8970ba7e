import { useEffect, useState } from 'react';
import type { Amount } from '../data/money.ts';
import { useApi } from '../data/queries.ts';
import type { To } from './go.tsx';

/** A record that the search over all records found. */
export interface Found {
  readonly kind: string;
  readonly id: string;
  readonly title: string;
  readonly line: string | null;
  readonly amount: Amount | null;
  readonly day: string | null;
  readonly within: string | null;
  readonly rank: 'exact' | 'begins' | 'has';
}

type Placed = Pick<Found, 'id' | 'within' | 'day'>;

/** Where a record of each kind is seen. */
const places = {
  document: ({ id }) => `/money/documents/${id}`,
  payment: ({ id }) => `/money/payments/${id}`,
  party: ({ id }) => `/money/documents?party=${id}`,
  account: ({ id }) => `/money/ledger/${id}`,
  journal_entry: ({ id }) => `/money/entries/${id}`,
  bank_line: ({ id, within, day }) => `/money/bank/${within ?? ''}?lines=all&day=${day ?? ''}&line=${id}`,
  contact: ({ id }) => `/people/${id}`,
  order: ({ id }) => `/commerce/orders/${id}`,
  product: ({ id }) => `/commerce/products/${id}`,
  form: ({ id }) => `/forms/${id}`,
  agent: ({ id }) => `/agents/${encodeURIComponent(id)}`,
  member: () => '/settings',
  invitation: () => '/settings',
  webhook: ({ id }) => `/developers/webhooks/${id}`,
  connection: () => '/commerce/connections',
} as const satisfies Readonly<Record<string, (found: Placed) => To>>;
export type Kind = keyof typeof places;

export const isKind = (kind: string): kind is Kind => Object.hasOwn(places, kind);
export const placeOf = (found: Placed & { readonly kind: Kind }): To => places[found.kind](found);

/** Milliseconds after the last key before records are asked for. */
const rest = 150;
/** Characters that the search takes. */
export const longestQuery = 200;

/** Records by what was typed, two characters or more: of a kind that has a screen. */
export function useFound(text: string): {
  readonly found: readonly (Found & { readonly kind: Kind })[];
  readonly looking: boolean;
} {
  const typed = text.trim().slice(0, longestQuery);
  const [asked, setAsked] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setAsked(typed), rest);
    return () => clearTimeout(timer);
  }, [typed]);
  const enabled = typed.length >= 2;
  const { data, isPlaceholderData, isError } = useApi<{ readonly items: readonly Found[] }>('portal', '/api/search', {
    query: { query: asked },
    enabled: enabled && asked.length >= 2,
  });
  // Never what was found for something else: Enter leads to what is seen.
  const answered = enabled && asked === typed && data !== undefined && !isPlaceholderData;
  return {
    found: answered ? data.items.filter((one): one is Found & { readonly kind: Kind } => isKind(one.kind)) : [],
    looking: enabled && !answered && !isError,
  };
}
