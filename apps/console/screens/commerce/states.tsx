import type { ReactNode } from 'react';
import { Badge, type Tone } from '../../parts/badge.tsx';
import { useWords } from '../../words/language.ts';
import type { FulfilmentStatus, OrderStatus, OrderSummary, PaymentStatus } from './types.ts';

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

export const FulfilmentBadge = ({
  of,
  order,
}: {
  readonly of: FulfilmentStatus;
  readonly order: OrderStatus;
}): ReactNode => (
  <Badge tone={order === 'cancelled' ? 'plain' : ofFulfilment[of]}>{useWords().commerce.fulfilmentStatus[of]}</Badge>
);

export function OrderBadges({ of }: { readonly of: OrderSummary }): ReactNode {
  const words = useWords().commerce;
  return (
    <>
      {of.mode === 'test' ? <Badge tone="accent">{words.test}</Badge> : null}{' '}
      {of.status === 'cancelled' ? <Badge>{words.orderStatus.cancelled}</Badge> : null}{' '}
      <PaymentBadge of={of.paymentStatus} order={of.status} />{' '}
      <FulfilmentBadge of={of.fulfilmentStatus} order={of.status} />
    </>
  );
}
