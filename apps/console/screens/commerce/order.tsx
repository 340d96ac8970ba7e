import { useParams } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { addressOf } from '../../data/api.ts';
import { difference, isPositive } from '../../data/decimal.ts';
import type { Amount } from '../../data/money.ts';
import { useMay, useTenant } from '../../data/organization.ts';
import { useApi, type Paged } from '../../data/queries.ts';
import { Badge } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Day, Moment } from '../../parts/moment.tsx';
import { Money } from '../../parts/money.tsx';
import { Facts, Page, Section } from '../../parts/page.tsx';
import { Said } from '../../parts/said.tsx';
import { Table } from '../../parts/table.tsx';
import { Go } from '../../shell/go.tsx';
import { useRecord } from '../../shell/record.ts';
import { useWords } from '../../words/language.ts';
import styles from './commerce.module.css';
import { Acts, type Act } from './order-acts.tsx';
import { Letters } from './order-letters.tsx';
import { Books, Chain } from './order-trail.tsx';
import { AddressLines, CommerceTabs, Picture, Row } from './parts.tsx';
import { OrderBadges } from './states.tsx';
import {
  ofOrder,
  optionsText,
  piecesText,
  type Order,
  type Payments,
  type Posting,
  type Refund,
  type Return,
} from './types.ts';

export default function OrderPage(): ReactNode {
  const { order: id = '' } = useParams({ strict: false }) as { order?: string };
  const words = useWords().commerce;
  const order = useApi<Order>('commerce', `/api/orders/${id}`);
  useRecord({
    title: order.data === undefined ? words.orders : words.order(order.data.number),
    id,
    place: 'commerce',
    path: `/api/orders/${id}`,
  });
  if (order.data === undefined)
    return (
      <Page title={words.orders} bar={<CommerceTabs />}>
        <Loaded query={order} lines={12}>
          {() => null}
        </Loaded>
      </Page>
    );
  return <Whole key={id} order={order.data} />;
}

function Whole({ order }: { readonly order: Order }): ReactNode {
  const words = useWords().commerce;
  const tenant = useTenant();
  const [act, setAct] = useState<Act>();
  const manages = useMay('owner', 'admin', 'merchandiser');
  const handlesMoney = useMay('owner', 'admin', 'accountant', 'merchandiser');
  const payments = useApi<Payments>('commerce', `/api/orders/${order.id}/payments`);
  const returns = useApi<Paged<Return>>('commerce', '/api/returns', { query: ofOrder(order) });
  const refunds = useApi<Paged<Refund>>('commerce', '/api/refunds', { query: ofOrder(order) });
  const postings = useApi<Paged<Posting>>('commerce', '/api/order-postings', {
    query: { orderId: order.id, limit: 50 },
  });
  const open = order.status === 'open';
  const toShip = order.lines.some(({ unitsToFulfil }) => unitsToFulfil > 0);
  const toEdit = order.lines.some(({ quantity, fulfilled }) => fulfilled < quantity);
  const owes = isPositive(order.balanceDue.amount);
  const own = payments.data?.payments.filter(({ handler }) => handler !== marketplace) ?? [];
  const canGiveBack = own.some(({ captured, refunded }) => isPositive(difference(captured.amount, refunded.amount)));
  // What is authorized is given up by releasing it.
  const unpaid = isPositive(difference(order.balanceDue.amount, order.authorized.amount));
  const canCredit = open && unpaid && own.length > 0 && own.length === payments.data?.payments.length;
  const invoice = postings.data?.items.find(({ kind, documentId }) => kind === 'invoice' && documentId !== null);
  return (
    <Page
      title={words.order(order.number)}
      lead={
        <>
          <OrderBadges of={order} /> <Moment at={order.placedAt} />
        </>
      }
      bar={<CommerceTabs />}
      actions={
        <>
          {manages && open && toShip ? (
            <Button kind="first" onClick={() => setAct('ship')}>
              {words.ship}
            </Button>
          ) : null}
          {manages && open && toEdit ? <Button onClick={() => setAct('edit')}>{words.editOrder}</Button> : null}
          {handlesMoney && open && owes ? <Button onClick={() => setAct('paid')}>{words.markPaid}</Button> : null}
          {handlesMoney && isPositive(order.authorized.amount) ? (
            <Button onClick={() => setAct('capture')}>{words.capture}</Button>
          ) : null}
          {handlesMoney &&
          payments.data?.payments.some(({ state }) => state === 'authorized' || state === 'awaiting') ? (
            <Button onClick={() => setAct('void')}>{words.voidPayment}</Button>
          ) : null}
          {handlesMoney && (canGiveBack || canCredit) ? (
            <Button onClick={() => setAct('refund')}>{canGiveBack ? words.refund : words.credit}</Button>
          ) : null}
          {manages && order.lines.some(({ fulfilled, returned }) => returned < fulfilled) ? (
            <Button onClick={() => setAct('return')}>{words.takeBack}</Button>
          ) : null}
          {invoice?.documentId === undefined || invoice.documentId === null ? null : (
            <a
              className={styles['file']}
              target="_blank"
              rel="noreferrer"
              href={addressOf('accounting', `/api/invoices/${invoice.documentId}/pdf`, { tenant })}
            >
              {words.invoice}
            </a>
          )}
          {manages && open && order.unitsFulfilled === order.unitsReturned ? (
            <Button kind="danger" onClick={() => setAct('cancel')}>
              {words.cancelOrder}
            </Button>
          ) : null}
        </>
      }
    >
      {act === undefined ? null : <Acts act={act} order={order} onClose={() => setAct(undefined)} />}
      <div className={styles['columns']}>
        <div className={styles['stack']}>
          <Lines order={order} />
          <Fulfilments order={order} mayChange={manages} />
          <Section title={words.payments}>
            <Loaded query={payments}>
              {(data) => (
                <PaymentList of={data} onMoreTime={handlesMoney && open ? () => setAct('more-time') : undefined} />
              )}
            </Loaded>
          </Section>
          <Loaded query={returns}>
            {({ items }) => <Returns of={items} order={order} mayChange={manages} mayRefund={handlesMoney} />}
          </Loaded>
          <Loaded query={refunds}>{({ items }) => <Refunds of={items} />}</Loaded>
          <Section title={words.books}>
            <Loaded query={postings}>{({ items }) => <Books of={items} />}</Loaded>
          </Section>
          <Letters orderId={order.id} />
          <Chain id={order.id} />
        </div>
        <div className={styles['stack']}>
          <Section title={words.customer}>
            <Facts
              of={[
                [words.name, <Said key="name">{order.name}</Said>],
                [words.email, <Said key="email">{order.email}</Said>],
                [words.phone, order.phone === null ? undefined : <Said key="phone">{order.phone}</Said>],
                [words.vat, order.vatNumber === null ? undefined : <Said key="vat">{order.vatNumber}</Said>],
              ]}
            />
            {order.contactId === null ? null : <Go to={`/people/${order.contactId}`}>{words.toPerson}</Go>}
          </Section>
          {order.channelId === null ? null : <SoldIn channelId={order.channelId} as={order.externalName} />}
          {order.shippingAddress === null ? null : (
            <Section title={words.shipTo}>
              <AddressLines of={order.shippingAddress} />
            </Section>
          )}
          {order.billingAddress === null ? null : (
            <Section title={words.billTo}>
              <AddressLines of={order.billingAddress} />
            </Section>
          )}
          {order.buyerNote === null ? null : (
            <Section title={words.buyerNote}>
              <p className={styles['text']}>
                <Said>{order.buyerNote}</Said>
              </p>
            </Section>
          )}
          <Section
            title={words.note}
            actions={manages ? <Button onClick={() => setAct('note')}>{words.writeNote}</Button> : null}
          >
            <p className={styles['text']}>
              <Said>{order.note}</Said>
            </p>
            {order.tags.length === 0 ? null : (
              <Row>
                {order.tags.map((tag) => (
                  <Badge key={tag}>
                    <Said>{tag}</Said>
                  </Badge>
                ))}
              </Row>
            )}
          </Section>
        </div>
      </div>
    </Page>
  );
}

/** The handler of payments that a marketplace takes, and gives back. */
const marketplace = 'marketplace';

/** The shop at a marketplace, which has a number of its own for the order. */
function SoldIn({ channelId, as }: { readonly channelId: string; readonly as: string | null }): ReactNode {
  const words = useWords().commerce;
  const channels = useApi<Paged<{ readonly id: string; readonly name: string; readonly shop: string }>>(
    'commerce',
    '/api/channels',
    { query: { limit: 100 } },
  );
  const channel = channels.data?.items.find(({ id }) => id === channelId);
  return (
    <Section title={words.soldIn}>
      <Facts
        of={[
          [
            words.name,
            channel === undefined ? undefined : (
              <Go key="name" to="/commerce/channels">
                <Said>{channel.name === channel.shop ? channel.shop : `${channel.name} (${channel.shop})`}</Said>
              </Go>
            ),
          ],
          [words.number, as === null ? undefined : <Said key="number">{as}</Said>],
        ]}
      />
    </Section>
  );
}

function Lines({ order }: { readonly order: Order }): ReactNode {
  const words = useWords().commerce;
  const sums = [
    [words.subtotal, order.subtotal],
    ...(isPositive(order.discount.amount) || order.discounts.length > 0
      ? [
          [
            order.discounts.map(({ code, name }) => code ?? name).join(', ') || words.discount,
            isPositive(order.discount.amount)
              ? { ...order.discount, amount: `-${order.discount.amount}` }
              : order.discount,
          ] as const,
        ]
      : []),
    ...(order.shipping === null ? [] : [[order.shipping.name, order.shipping.total] as const]),
    ...(order.pricesIncludeTax ? [] : [[words.taxIn, order.tax] as const]),
  ] as const;
  return (
    <Section title={words.lines}>
      <Table
        label={words.lines}
        rows={order.lines}
        rowKey={({ id }) => id}
        columns={[
          {
            head: words.product,
            cell: ({ title, options, sku, image }) => (
              <span className={styles['named']}>
                <Picture of={image} />
                <span>
                  <Said>{title}</Said>
                  <span className={styles['soft']}>
                    <Said>{[optionsText(options), sku].filter(Boolean).join(' · ') || ' '}</Said>
                  </span>
                </span>
              </span>
            ),
          },
          {
            head: words.sent,
            align: 'end',
            cell: ({ fulfilled, quantity, unitsToFulfil }) => {
              const unsent = quantity - fulfilled - unitsToFulfil;
              return (
                <>
                  {words.ofSome(fulfilled, quantity)}
                  {unsent > 0 ? <span className={styles['soft']}> · {words.unsent(unsent)}</span> : null}
                </>
              );
            },
          },
          { head: words.price, align: 'end', wide: true, cell: ({ unitPrice }) => <Money of={unitPrice} /> },
          { head: words.total, align: 'end', cell: ({ total }) => <Money of={total} /> },
        ]}
      />
      <dl className={styles['totals']}>
        {sums.map(([name, amount], at) => (
          <div key={at} className={styles['total']}>
            <dt>
              <Said>{name}</Said>
            </dt>
            <dd>
              <Money of={amount} />
            </dd>
          </div>
        ))}
        <div className={`${styles['total']} ${styles['sum']}`}>
          <dt>{words.total}</dt>
          <dd>
            <Money of={order.total} />
          </dd>
        </div>
        {order.pricesIncludeTax ? (
          <div className={styles['total']}>
            <dt>{words.ofWhichTax}</dt>
            <dd>
              <Money of={order.tax} />
            </dd>
          </div>
        ) : null}
        {isPositive(order.credited.amount) ? (
          <div className={styles['total']}>
            <dt>{words.credited}</dt>
            <dd>
              <Money of={order.credited} />
            </dd>
          </div>
        ) : null}
        {isPositive(order.balanceDue.amount) ? (
          <div className={styles['total']}>
            <dt>{words.stillToPay}</dt>
            <dd>
              <Money of={order.balanceDue} />
            </dd>
          </div>
        ) : null}
        {isPositive(order.toGiveBack.amount) ? (
          <div className={styles['total']}>
            <dt>{words.toGiveBack}</dt>
            <dd>
              <Money of={order.toGiveBack} />
            </dd>
          </div>
        ) : null}
      </dl>
    </Section>
  );
}

function Fulfilments({ order, mayChange }: { readonly order: Order; readonly mayChange: boolean }): ReactNode {
  const words = useWords().commerce;
  const [tracking, setTracking] = useState<string>();
  const lines = new Map(order.lines.map((line) => [line.id, line]));
  const changed = order.fulfilments.find(({ id }) => id === tracking);
  return (
    <Section title={words.fulfilments}>
      {changed === undefined ? null : (
        <Acts act="tracking" order={order} fulfilment={changed} onClose={() => setTracking(undefined)} />
      )}
      {order.fulfilments.length === 0 ? <p className={styles['soft']}>{words.nothingSent}</p> : null}
      <ul className={styles['items']}>
        {order.fulfilments.map((one) => (
          <li key={one.id} className={styles['item']}>
            <div className={styles['spread']}>
              <strong>
                <Said>{[one.carrier, one.trackingNumber].filter(Boolean).join(' · ') || words.noTracking}</Said>
              </strong>
              <Moment at={one.createdAt} />
            </div>
            <Said>
              {piecesText(
                one.lines.map(({ lineId, quantity }) => ({ title: '?', options: {}, ...lines.get(lineId), quantity })),
              )}
            </Said>
            <Row>
              {one.deliveryStatus === null ? null : (
                <Badge tone={one.deliveryStatus === 'delivered' ? 'held' : 'plain'}>
                  <Said>{one.deliveryStatus.replaceAll('_', ' ')}</Said>
                </Badge>
              )}
              {one.trackingUrl === null || !one.trackingUrl.startsWith('https://') ? null : (
                <a href={one.trackingUrl} target="_blank" rel="noreferrer noopener">
                  {words.track}
                </a>
              )}
              {mayChange ? <Button onClick={() => setTracking(one.id)}>{words.changeTracking}</Button> : null}
            </Row>
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** What came in, or may come in still: of what it began with, some may have been given up since, as where the order costs less. */
function worthOf({ state, amount, captured, voided }: Payments['payments'][number]): Amount {
  if (state === 'captured') return captured;
  return state === 'voided' ? amount : { ...amount, amount: difference(amount.amount, voided.amount) };
}

function PaymentList({
  of,
  onMoreTime,
}: {
  readonly of: Payments;
  /** Undefined: they may not give any. */
  readonly onMoreTime: (() => void) | undefined;
}): ReactNode {
  const words = useWords().commerce;
  if (of.payments.length === 0) return <p className={styles['soft']}>{words.noPayments}</p>;
  return (
    <ul className={styles['items']}>
      {of.payments.map((one) => (
        <li key={one.id} className={styles['item']}>
          <div className={styles['spread']}>
            <span>
              <Said>{`${one.method.replaceAll('_', ' ')} (${one.handler})`}</Said>{' '}
              <Badge tone={one.state === 'captured' ? 'held' : one.state === 'declined' ? 'error' : 'plain'}>
                {words.paymentState[one.state]}
              </Badge>
            </span>
            <Money of={worthOf(one)} />
          </div>
          <span className={styles['soft']}>
            <Moment at={one.createdAt} /> · {words.received} <Money of={one.captured} />
            {isPositive(one.refunded.amount) ? (
              <>
                {' '}
                · {words.givenBack} <Money of={one.refunded} />
              </>
            ) : null}
            {one.state === 'awaiting' && one.payBy !== null ? (
              <>
                {' '}
                · {words.payBy} <Day on={one.payBy} />
              </>
            ) : null}
          </span>
          {one.state === 'awaiting' && one.payBy !== null && onMoreTime !== undefined ? (
            <div>
              <Button onClick={onMoreTime}>{words.moreTime}</Button>
            </div>
          ) : null}
          {one.handler === marketplace && isPositive(one.captured.amount) ? (
            <span className={styles['soft']}>{words.givenBackThere}</span>
          ) : null}
          {one.declineReason === null ? null : <Said>{one.declineReason}</Said>}
        </li>
      ))}
      {of.requests
        .filter(({ state }) => state !== 'done')
        .map((one) => (
          <li key={one.id} className={styles['item']}>
            <div className={styles['spread']}>
              <span>
                {words.requestKind[one.kind]}{' '}
                <Badge tone={one.state === 'refused' ? 'error' : 'waits'}>{words.requestState[one.state]}</Badge>
              </span>
              <Money of={one.amount} />
            </div>
            {one.reason === null ? null : <Said>{one.reason}</Said>}
          </li>
        ))}
    </ul>
  );
}

interface ReturnsOf {
  readonly of: readonly Return[];
  readonly order: Order;
  readonly mayChange: boolean;
  readonly mayRefund: boolean;
}

function Returns({ of, order, mayChange, mayRefund }: ReturnsOf): ReactNode {
  const words = useWords().commerce;
  const [act, setAct] = useState<readonly [Act, Return]>();
  if (of.length === 0) return null;
  return (
    <Section title={words.returns}>
      {act === undefined ? null : (
        <Acts act={act[0]} order={order} returned={act[1]} onClose={() => setAct(undefined)} />
      )}
      <ul className={styles['items']}>
        {of.map((one) => (
          <li key={one.id} className={styles['item']}>
            <div className={styles['spread']}>
              <span>
                {words.reasons[one.reason]}{' '}
                <Badge tone={one.state === 'refunded' || one.state === 'rejected' ? 'plain' : 'waits'}>
                  {words.returnState[one.state]}
                </Badge>
              </span>
              <Moment at={one.createdAt} />
            </div>
            <Said>{piecesText(one.lines)}</Said>
            {one.note === null ? null : <Said>{one.note}</Said>}
            {one.state === 'received' && mayRefund ? (
              <Row>
                <Button onClick={() => setAct(['refund', one])}>{words.refundReturn}</Button>
              </Row>
            ) : null}
            {mayChange ? (
              <Row>
                {one.state === 'requested' ? (
                  <Button onClick={() => setAct(['approve-return', one])}>{words.approveReturn}</Button>
                ) : null}
                {one.state === 'requested' || one.state === 'approved' ? (
                  <>
                    <Button onClick={() => setAct(['receive', one])}>{words.receive}</Button>
                    <Button onClick={() => setAct(['reject-return', one])}>{words.rejectReturn}</Button>
                  </>
                ) : null}
              </Row>
            ) : null}
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Refunds({ of }: { readonly of: readonly Refund[] }): ReactNode {
  const words = useWords().commerce;
  if (of.length === 0) return null;
  return (
    <Section title={words.refunds}>
      <ul className={styles['items']}>
        {of.map((one) => (
          <li key={one.id} className={styles['item']}>
            <div className={styles['spread']}>
              <span>{words.reasons[one.reason]}</span>
              {isPositive(one.total.amount) ? <Money of={one.total} /> : null}
            </div>
            {isPositive(one.credited.amount) ? (
              <div className={styles['spread']}>
                <span>{words.credited}</span>
                <Money of={one.credited} />
              </div>
            ) : null}
            <span className={styles['soft']}>
              <Moment at={one.createdAt} />
              {one.payments.some(({ givenBackBy }) => givenBackBy === 'merchant') ? ` · ${words.transferIt}` : ''}
            </span>
            {one.note === null ? null : <Said>{one.note}</Said>}
          </li>
        ))}
      </ul>
    </Section>
  );
}
