import { dictionary } from '@steward/kernel/dictionary';
import { placeOf, type Kind } from '../../shell/found.ts';
import type { To } from '../../shell/go.tsx';
import type { Action } from './action.ts';

/** How results of tools call what has a screen of its own. */
const named = dictionary<Kind>({
  payment: 'payment',
  document: 'document',
  entry: 'journal_entry',
  order: 'order',
  contact: 'contact',
  product: 'product',
  party: 'party',
  form: 'form',
  agent: 'agent',
  member: 'member',
  invitation: 'invitation',
  webhook: 'webhook',
  connection: 'connection',
});

interface Made {
  readonly kind: Kind;
  readonly to: To;
}

const membersOf = (value: unknown): readonly (readonly [string, unknown])[] =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : [];

/** The refund that it made, whose credit note follows in the books. */
export function refundBy({
  result,
}: Pick<Action, 'result'>): { readonly id: string; readonly order: string } | undefined {
  const [, data] = membersOf(result).find(([name]) => name === 'data') ?? [];
  const [, refund] = membersOf(data).find(([name]) => name === 'refund') ?? [];
  const { id, order_id: order } = Object.fromEntries(membersOf(refund));
  return typeof id === 'string' && typeof order === 'string' ? { id, order } : undefined;
}

/** The records that a result is about, the first ones first: `{ payment: { id } }`, and what names another by its id, `{ refund: { order_id } }`. */
export function madeBy({ result }: Pick<Action, 'result'>): readonly Made[] {
  const [, data] = membersOf(result).find(([name]) => name === 'data') ?? [];
  const found = new Map<To, Made>();
  const add = (name: string, id: unknown): void => {
    const kind = named[name];
    if (kind === undefined || typeof id !== 'string') return;
    const to = placeOf({ kind, id, within: null, day: null });
    if (!found.has(to)) found.set(to, { kind, to });
  };
  const byName = (members: readonly (readonly [string, unknown])[]): void => {
    for (const [name, value] of members) if (name.endsWith('_id')) add(name.slice(0, -'_id'.length), value);
  };
  const members = membersOf(data);
  for (const [name, value] of members) add(name, membersOf(value).find(([key]) => key === 'id')?.[1]);
  byName(members);
  for (const [, value] of members) byName(membersOf(value));
  return [...found.values()];
}
