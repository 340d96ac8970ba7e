/** What a letter reports. Each is told once to each reader. */
export type Fact =
  | { readonly kind: 'placed' | 'cancelled'; readonly orderId: string }
  | { readonly kind: 'shipped' | 'delivered'; readonly orderId: string; readonly fulfilmentId: string }
  | { readonly kind: 'refunded'; readonly orderId: string; readonly refundId: string }
  | { readonly kind: 'edited'; readonly orderId: string; readonly editId: string };

/** To the mail component: whose letters they are. */
export const component = 'orders';

/** Readers who are no members. */
export const buyer = 'buyer';

export const aboutOf = (fact: Fact): string =>
  [
    fact.kind,
    fact.orderId,
    ...('fulfilmentId' in fact ? [fact.fulfilmentId] : []),
    ...(fact.kind === 'refunded' ? [fact.refundId] : []),
    ...(fact.kind === 'edited' ? [fact.editId] : []),
  ].join(' ');

export function factOf(about: string): Fact | undefined {
  const [kind, orderId = '', id = ''] = about.split(' ');
  if (kind === 'placed' || kind === 'cancelled') return { kind, orderId };
  if (kind === 'shipped' || kind === 'delivered') return { kind, orderId, fulfilmentId: id };
  if (kind === 'edited') return { kind, orderId, editId: id };
  return kind === 'refunded' ? { kind, orderId, refundId: id } : undefined;
}
