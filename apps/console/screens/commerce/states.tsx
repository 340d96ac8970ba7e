import type { ReactNode } from 'react';
import { Badge, type Tone } from '../../parts/badge.tsx';
import { useWords } from '../../words/language.ts';
import type { FulfilmentStatus, Order, OrderStatus, OrderSummary, PaymentStatus } from './types.ts';

const ofPayment: Readonly<Record<PaymentStatus, Tone>> = {
  pending: 'waits',
  authorized: 'waits',
  partially_paid: 'waits',
  paid: 'held',
  partially_refunded: 'plain',
  refunded: 'plain',
  voided: 'plain',
};

const ofFulfilment: Readonly<Record<FulfilmentStatus, Tone>> = {
  unfulfilled: 'waits',
  partially_fulfilled: 'waits',
  fulfilled: 'held',
  partially_returned: 'plain',
  returned: 'plain',
};

export const PaymentBadge = ({ of, order }: { readonly of: PaymentStatus; readonly order: OrderStatus }): ReactNode => (
  <Badge tone={order === 'cancelled' ? 'plain' : ofPayment[of]}>{useWords().commerce.paymentStatus[of]}</Badge>
);

/** @param of with its lines, where they are known: all of them may be paid back while others owe money */
export function FulfilmentBadge({
  of: { status, fulfilmentStatus, lines },
}: {
  readonly of: Pick<OrderSummary, 'status' | 'fulfilmentStatus'> & Partial<Pick<Order, 'lines'>>;
}): ReactNode {
  const words = useWords().commerce;
  const isOver = status !== 'open' || lines?.every(({ unitsToFulfil }) => unitsToFulfil <= 0) === true;
  if (isOver && fulfilmentStatus === 'unfulfilled') return <Badge>{words.nothingToSend}</Badge>;
  return (
    <Badge tone={status === 'cancelled' ? 'plain' : ofFulfilment[fulfilmentStatus]}>
      {words.fulfilmentStatus[fulfilmentStatus]}
    </Badge>
  );
}

export function OrderBadges({ of }: { readonly of: Order }): ReactNode {
  const words = useWords().commerce;
  return (
    <>
      {of.mode === 'test' ? <Badge tone="accent">{words.test}</Badge> : null}{' '}
      {of.status === 'cancelled' ? <Badge>{words.orderStatus.cancelled}</Badge> : null}{' '}
      <PaymentBadge of={of.paymentStatus} order={of.status} /> <FulfilmentBadge of={of} />
    </>
  );
}
