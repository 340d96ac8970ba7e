import type Stripe from 'stripe';

/** A subscription as the provider has it now. */
export interface Subscription {
  readonly id: string;
  readonly status: Stripe.Subscription.Status;
  /** Ids of what it pays for. */
  readonly prices: readonly string[];
  readonly beganAt: Date;
  /** Since when something of it is unpaid. */
  readonly unpaidSince: Date;
}

/** A payment that a bank was asked to take back. */
export interface Dispute {
  readonly id: string;
  readonly status: string;
  readonly openedAt: Date;
  /** Whose payment it was. */
  readonly customer: string | undefined;
}

/** @param unpaid its open invoices */
export function presentSubscription(
  { id, status, created, items }: Stripe.Subscription,
  unpaid: readonly Pick<Stripe.Invoice, 'created' | 'due_date'>[],
): Subscription {
  const due = unpaid.map((invoice) => invoice.due_date ?? invoice.created);
  return {
    id,
    status,
    prices: items.data.map(({ price }) => price.id),
    beganAt: moment(created),
    unpaidSince: moment(due.length > 0 ? Math.min(...due) : (items.data[0]?.current_period_start ?? created)),
  };
}

export function presentDispute({ id, status, created, charge }: Stripe.Dispute): Dispute {
  const customer = typeof charge === 'string' ? null : charge.customer;
  return {
    id,
    status,
    openedAt: moment(created),
    customer: typeof customer === 'string' ? customer : customer?.id,
  };
}

const moment = (seconds: number): Date => new Date(seconds * 1000);
