import { useState, type ReactNode } from 'react';
import { api } from '../../data/api.ts';
import { difference, isPositive, smaller } from '../../data/decimal.ts';
import { isZero, type Amount } from '../../data/money.ts';
import { type Typed, useChange } from '../../data/change.ts';
import { dayOf } from '../../data/moment.ts';
import { useTenant } from '../../data/organization.ts';
import { Problem } from '../../data/problem.ts';
import { useApi, type Paged } from '../../data/queries.ts';
import { useAct } from '../../data/step-up.ts';
import { useAmountIn } from '../../parts/amount-in.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Check, Field, Form } from '../../parts/form.tsx';
import { Money } from '../../parts/money.tsx';
import { Propose } from '../../parts/propose.tsx';
import { Said } from '../../parts/said.tsx';
import { useWords } from '../../words/language.ts';
import styles from './commerce.module.css';
import { givesBack, unitsBack } from './gives-back.ts';
import {
  ofOrder,
  optionsText,
  piecesText,
  reasons,
  type Fulfilment,
  type Location,
  type Order,
  type Refund,
  type Return,
} from './types.ts';

export type Act =
  | 'ship'
  | 'edit'
  | 'tracking'
  | 'paid'
  | 'capture'
  | 'void'
  | 'more-time'
  | 'refund'
  | 'return'
  | 'cancel'
  | 'note'
  | 'receive'
  | 'approve-return'
  | 'reject-return';

interface ActsProps {
  readonly act: Act;
  readonly order?: Order;
  readonly fulfilment?: Fulfilment;
  readonly returned?: Return;
  readonly onClose: () => void;
}

/** One thing that is done to an order. What is typed is kept until it was done, through a login and a reload. */
export function Acts({ act, order, fulfilment, returned, onClose }: ActsProps): ReactNode {
  if (act === 'refund' && order !== undefined) return <GiveBack order={order} back={returned} onClose={onClose} />;
  if (returned !== undefined) return <OfReturn act={act} of={returned} onClose={onClose} />;
  if (order === undefined) return null;
  const props = { order, onClose };
  if (act === 'edit') return <Edit {...props} />;
  if (act === 'ship') return <Ship {...props} />;
  if (act === 'tracking' && fulfilment !== undefined) return <Tracking of={fulfilment} onClose={onClose} />;
  if (act === 'paid') return <Paid {...props} />;
  if (act === 'capture') return <Capture {...props} />;
  if (act === 'void') return <Void {...props} />;
  if (act === 'more-time') return <MoreTime {...props} />;
  if (act === 'return') return <TakeBack {...props} />;
  if (act === 'cancel') return <Cancel {...props} />;
  if (act === 'note') return <Note {...props} />;
  return null;
}

interface OfOrder {
  readonly order: Order;
  readonly onClose: () => void;
}

/** A change of an order, or of what belongs to one. */
function useOrderChange(name: string, path: string, onClose: () => void, initial: Typed = {}, method = 'POST') {
  const tenant = useTenant();
  return useChange(name, async (body: object) => api('commerce', path, { tenant, method, body }), onClose, initial);
}

/** What is done here reaches no shop at a marketplace. */
function NotTold({ order }: { readonly order: Order }): ReactNode {
  const words = useWords().commerce;
  return order.channelId === null ? null : <p role="note">{words.shopNotTold}</p>;
}

const given = (text: string | undefined): string | undefined => (text === undefined || text === '' ? undefined : text);

interface Some {
  readonly id: string;
  readonly title: string;
  readonly detail: string;
  readonly most: number;
}

/** How many of each line: all of what is left, unless somebody says fewer. */
function Quantities({
  of,
  draft,
  onChange,
  otherwise,
}: {
  readonly of: readonly Some[];
  readonly draft: Typed;
  readonly onChange: (draft: Typed) => void;
  readonly otherwise: 'all' | 'none';
}): ReactNode {
  const words = useWords().commerce;
  return (
    <fieldset className={styles['fieldset']}>
      <legend>{words.quantities}</legend>
      <div className={styles['quantities']}>
        {of.map(({ id, title, detail, most }) => (
          <label key={id} className={styles['quantity']}>
            <span>
              <Said>{title}</Said>{' '}
              <span className={styles['soft']}>
                {detail === '' ? null : <Said>{detail}</Said>} {words.atMost(most)}
              </span>
            </span>
            <input
              type="text"
              inputMode="numeric"
              autoComplete="off"
              value={draft[`line ${id}`] ?? (otherwise === 'all' ? String(most) : '0')}
              onChange={({ target }) => onChange({ ...draft, [`line ${id}`]: target.value })}
            />
          </label>
        ))}
      </div>
    </fieldset>
  );
}

const quantitiesOf = (
  of: readonly Some[],
  draft: Typed,
  otherwise: 'all' | 'none',
): readonly { readonly lineId: string; readonly quantity: number }[] =>
  of
    .map(({ id, most }) => ({
      lineId: id,
      quantity: Number(draft[`line ${id}`] ?? (otherwise === 'all' ? most : 0)),
    }))
    .filter(({ quantity }) => quantity !== 0);

function Ship({ order, onClose }: OfOrder): ReactNode {
  const words = useWords().commerce;
  const { draft, setDraft, bind, act, forget } = useOrderChange(
    `ship ${order.id}`,
    `/api/orders/${order.id}/fulfilments`,
    onClose,
  );
  const locations = useApi<Paged<Location>>('commerce', '/api/locations', { query: { limit: 100 } });
  const left = order.lines
    .filter(({ unitsToFulfil }) => unitsToFulfil > 0)
    .map(({ id, title, options, unitsToFulfil: most }) => ({ id, title, detail: optionsText(options), most }));
  const places = (locations.data?.items ?? []).filter(({ archivedAt }) => archivedAt === null);
  return (
    <Dialog title={words.shipOrder(order.number)} onClose={onClose}>
      <NotTold order={order} />
      <Form
        submit={words.ship}
        busy={act.isPending}
        error={act.error}
        onProposed={forget}
        onCancel={onClose}
        onSubmit={() =>
          act.mutate({
            lines: quantitiesOf(left, draft, 'all'),
            locationId: given(draft['locationId']),
            carrier: given(draft['carrier']),
            trackingNumber: given(draft['trackingNumber']),
            trackingUrl: given(draft['trackingUrl']),
          })
        }
      >
        <Quantities of={left} draft={draft} onChange={setDraft} otherwise="all" />
        {places.length < 2 ? null : (
          <Field
            label={words.from}
            {...bind('locationId')}
            options={[['', words.anyLocation], ...places.map(({ id, name }) => [id, name] as const)]}
          />
        )}
        <Field label={words.carrier} optional {...bind('carrier')} />
        <Field label={words.trackingNumber} optional {...bind('trackingNumber')} />
        <Field label={words.trackingUrl} kind="url" optional {...bind('trackingUrl')} hint={words.shipHint} />
      </Form>
    </Dialog>
  );
}

interface Edited {
  readonly edit: {
    readonly before: { readonly total: Amount };
    readonly after: { readonly total: Amount };
    readonly difference: Amount;
  };
}

/** Fewer of what has not left: what it would cost then is shown first, and what is shown is what is done. */
function Edit({ order, onClose }: OfOrder): ReactNode {
  const words = useWords().commerce;
  const tenant = useTenant();
  const path = `/api/orders/${order.id}/edits`;
  const { draft, setDraft, act, forget } = useOrderChange(`edit ${order.id}`, path, onClose);
  const [shown, setShown] = useState<{ readonly body: object; readonly edit: Edited['edit'] }>();
  const preview = useAct(async (body: object) => api<Edited>('commerce', `${path}/preview`, { tenant, body }), {
    onDone: ({ edit }, body) => setShown({ body, edit }),
  });
  const lines = order.lines
    .filter(({ quantity, fulfilled }) => fulfilled < quantity)
    .map(({ id, title, options, quantity }) => ({ id, title, detail: optionsText(options), most: quantity }));
  const change = (next: Typed): void => {
    setShown(undefined);
    setDraft(next);
  };
  return (
    <Dialog title={words.editOrder} onClose={onClose} wide>
      <p>{words.editLead}</p>
      <NotTold order={order} />
      <Form
        submit={shown === undefined ? words.editPreview : words.editOrder}
        busy={act.isPending || preview.isPending}
        disabled={lines.every(({ id, most }) => Number(draft[`line ${id}`] ?? most) === most)}
        error={act.error ?? preview.error}
        onProposed={forget}
        onCancel={onClose}
        onSubmit={() => {
          if (shown !== undefined) {
            const repriced = (error: Error): void => {
              if (error instanceof Problem && error.code === 'other_price') setShown(undefined);
            };
            return act.mutate({ ...shown.body, total: shown.edit.after.total }, { onError: repriced });
          }
          act.reset();
          preview.mutate({
            version: order.version,
            lines: lines
              .map(({ id, most }) => ({ lineId: id, quantity: Number(draft[`line ${id}`] ?? most), most }))
              .filter(({ quantity, most }) => quantity !== most)
              .map(({ lineId, quantity }) => ({ lineId, quantity })),
          });
        }}
      >
        <Quantities of={lines} draft={draft} onChange={change} otherwise="all" />
        {shown === undefined ? null : (
          <p role="status">
            <Money of={shown.edit.before.total} /> → <Money of={shown.edit.after.total} /> ·{' '}
            {shown.edit.difference.amount.startsWith('-') ? words.lessToPay : words.moreToPay}{' '}
            <Money of={shown.edit.difference} />
          </p>
        )}
      </Form>
    </Dialog>
  );
}

function Tracking({ of, onClose }: { readonly of: Fulfilment; readonly onClose: () => void }): ReactNode {
  const words = useWords().commerce;
  const { draft, bind, act, forget } = useOrderChange(
    `tracking ${of.id}`,
    `/api/fulfilments/${of.id}`,
    onClose,
    { carrier: of.carrier ?? '', trackingNumber: of.trackingNumber ?? '', trackingUrl: of.trackingUrl ?? '' },
    'PATCH',
  );
  return (
    <Dialog title={words.changeTracking} onClose={onClose}>
      <Form
        submit={words.changeTracking}
        busy={act.isPending}
        error={act.error}
        onProposed={forget}
        onCancel={onClose}
        onSubmit={() =>
          act.mutate({
            carrier: given(draft['carrier']) ?? null,
            trackingNumber: given(draft['trackingNumber']) ?? null,
            trackingUrl: given(draft['trackingUrl']) ?? null,
          })
        }
      >
        <Field label={words.carrier} optional {...bind('carrier')} />
        <Field label={words.trackingNumber} optional {...bind('trackingNumber')} />
        <Field label={words.trackingUrl} kind="url" optional {...bind('trackingUrl')} />
      </Form>
    </Dialog>
  );
}

function Paid({ order, onClose }: OfOrder): ReactNode {
  const words = useWords().commerce;
  const { draft, bind, act, forget } = useOrderChange(
    `paid ${order.id}`,
    `/api/orders/${order.id}/payments/received`,
    onClose,
    {
      amount: order.balanceDue.amount,
      receivedOn: dayOf(Date.now()),
    },
  );
  return (
    <Dialog title={words.markPaid} onClose={onClose}>
      <NotTold order={order} />
      <p>
        {words.stillToPay}: <Money of={order.balanceDue} />
      </p>
      <Form
        submit={words.markPaid}
        busy={act.isPending}
        error={act.error}
        onProposed={forget}
        onCancel={onClose}
        onSubmit={() =>
          act.mutate({
            amount: { amount: draft['amount'] ?? '', currency: order.balanceDue.currency },
            receivedOn: given(draft['receivedOn']),
            reference: given(draft['reference']),
          })
        }
      >
        <Field
          label={`${words.amount}, ${order.balanceDue.currency}`}
          kind="amount"
          currency={order.balanceDue.currency}
          {...bind('amount')}
        />
        <Field label={words.receivedOn} kind="date" hint={words.receivedOnHint} {...bind('receivedOn')} />
        <Field label={words.reference} optional hint={words.referenceHint} {...bind('reference')} />
      </Form>
    </Dialog>
  );
}

/** Until when the shop waits for what is to arrive by other means. */
function MoreTime({ order, onClose }: OfOrder): ReactNode {
  const words = useWords().commerce;
  const { draft, bind, act, forget } = useOrderChange(
    `more time ${order.id}`,
    `/api/orders/${order.id}/payments/extend`,
    onClose,
  );
  return (
    <Dialog title={words.moreTime} onClose={onClose}>
      <p>{words.moreTimeLead}</p>
      <Form
        submit={words.moreTime}
        busy={act.isPending}
        error={act.error}
        onProposed={forget}
        onCancel={onClose}
        onSubmit={() => act.mutate({ payBy: draft['payBy'] ?? '' })}
      >
        <Field label={words.lastDay} kind="date" {...bind('payBy')} />
      </Form>
    </Dialog>
  );
}

/** What is authorized is taken, all of it unless somebody says less. */
function Capture({ order, onClose }: OfOrder): ReactNode {
  const words = useWords().commerce;
  const { currency } = order;
  const { draft, bind, act, forget } = useOrderChange(
    `capture ${order.id}`,
    `/api/orders/${order.id}/payments/capture`,
    onClose,
    {
      amount: order.authorized.amount,
    },
  );
  return (
    <Dialog title={words.capture} onClose={onClose}>
      <p>{words.captureLead}</p>
      <Form
        submit={words.capture}
        busy={act.isPending}
        error={act.error}
        onProposed={forget}
        onCancel={onClose}
        onSubmit={() => act.mutate({ amount: { amount: draft['amount'] ?? '', currency } })}
      >
        <Field label={`${words.amount}, ${currency}`} kind="amount" currency={currency} {...bind('amount')} />
      </Form>
    </Dialog>
  );
}

function Void({ order, onClose }: OfOrder): ReactNode {
  const words = useWords().commerce;
  const { act } = useOrderChange(`void ${order.id}`, `/api/orders/${order.id}/payments/void`, onClose);
  return (
    <Dialog title={words.voidPayment} onClose={onClose}>
      <Form
        submit={words.voidPayment}
        busy={act.isPending}
        error={act.error}
        onCancel={onClose}
        onSubmit={() => act.mutate({})}
      >
        <p>{words.voidLead}</p>
        {isZero(order.balanceDue.amount) ? null : (
          <p>
            {words.voidStays} {words.stillToPay}: <Money of={order.balanceDue} />
          </p>
        )}
      </Form>
    </Dialog>
  );
}

function useReasons(): readonly (readonly [string, string])[] {
  const words = useWords().commerce;
  return reasons.map((one) => [one, words.reasons[one]] as const);
}

/** @param back the return that came, whose units are paid back and no others */
function GiveBack({ order, back, onClose }: OfOrder & { readonly back: Return | undefined }): ReactNode {
  const words = useWords().commerce;
  const choices = useReasons();
  const { draft, setDraft, bind, act, forget } = useOrderChange(
    `refund ${back?.id ?? order.id}`,
    `/api/orders/${order.id}/refunds`,
    onClose,
    {
      reason: back?.reason ?? 'changed_mind',
    },
  );
  const amountIn = useAmountIn();
  const refunds = useApi<Paged<Refund>>('commerce', '/api/refunds', { query: ofOrder(order) });
  const returns = useApi<Paged<Return>>('commerce', '/api/returns', { query: ofOrder(order) });
  // What came back is paid back with its return.
  const waits = new Set(
    returns.data?.items
      .filter(({ state }) => state === 'received')
      .flatMap((one) => one.lines.filter(({ received }) => received > 0).map(({ lineId }) => lineId)),
  );
  const before = unitsBack(refunds.data?.items ?? []);
  const lines = order.lines
    .map(({ id, title, options, quantity }) => ({
      id,
      title,
      detail: optionsText(options),
      most: quantity - (before.get(id) ?? 0),
    }))
    .filter(({ id, most }) => most > 0 && !waits.has(id));
  const money = (amount: string | undefined) =>
    amount === undefined ? undefined : { amount, currency: order.currency };
  const came = back?.lines.filter(({ received }) => received > 0);
  const some =
    came?.map(({ lineId, received }) => ({ lineId, quantity: received })) ?? quantitiesOf(lines, draft, 'none');
  const asked = {
    shipping: money(given(draft['shipping'])),
    adjustment: money(given(draft['adjustment'])),
    reason: draft['reason'],
    note: given(draft['note']),
  };
  const typed = (field: 'shipping' | 'adjustment'): string | undefined => {
    const text = given(draft[field]);
    return text === undefined ? undefined : (amountIn(text) ?? text);
  };
  // Of an order with more refunds than a page has, nobody knows here how much of a line they gave back.
  const total =
    refunds.data === undefined || typeof (refunds.data.nextCursor ?? refunds.data.next_cursor) === 'string'
      ? undefined
      : givesBack(order, before, {
          lines: some,
          shipping: typed('shipping'),
          adjustment: typed('adjustment'),
        });
  // What a provider has promised is still taken, so that it lowers nothing.
  const due = difference(order.balanceDue.amount, order.authorized.amount);
  const lowers = total === undefined || !isPositive(due) ? '0' : smaller(total, due);
  const gives = total === undefined ? '0' : difference(total, lowers);
  return (
    <Dialog title={words.refundOrder(order.number)} onClose={onClose} wide>
      <p>
        {words.received}: <Money of={order.captured} /> · {words.givenBack}: <Money of={order.refunded} />
      </p>
      <Form
        submit={isZero(gives) && !isZero(lowers) ? words.credit : words.refund}
        busy={act.isPending}
        error={act.error}
        instead={null}
        onCancel={onClose}
        onSubmit={() =>
          act.mutate({
            ...(back === undefined ? (some.length === 0 ? {} : { lines: some }) : { returnId: back.id }),
            ...asked,
          })
        }
      >
        {came === undefined ? (
          lines.length === 0 ? null : (
            <Quantities of={lines} draft={draft} onChange={setDraft} otherwise="none" />
          )
        ) : (
          <Said>{came.map(({ title, received }) => `${received} × ${title}`).join(', ')}</Said>
        )}
        <Field
          label={`${words.ofShipping}, ${order.currency}`}
          kind="amount"
          currency={order.currency}
          optional
          {...bind('shipping')}
        />
        <Field
          label={`${words.goodwill}, ${order.currency}`}
          kind="amount"
          currency={order.currency}
          optional
          {...bind('adjustment')}
        />
        <Field label={words.reason} {...bind('reason')} options={choices} />
        <Field label={words.note} kind="area" optional {...bind('note')} />
        {total === undefined || isZero(total) ? null : (
          <div role="status">
            {isZero(lowers) ? null : (
              <p>
                {words.lowersDue}: <Money of={{ amount: lowers, currency: order.currency }} />
              </p>
            )}
            {isZero(gives) ? null : (
              <p>
                {words.givesBack}: <Money of={{ amount: gives, currency: order.currency }} />
              </p>
            )}
          </div>
        )}
        <Propose
          tool="service_refund_order"
          asks={() => ({
            ...asked,
            order_id: order.id,
            ...(back !== undefined
              ? { return_id: back.id }
              : some.length === 0
                ? {}
                : { lines: some.map(({ lineId, quantity }) => ({ line_id: lineId, quantity })) }),
          })}
          onDone={forget}
        />
      </Form>
    </Dialog>
  );
}

function TakeBack({ order, onClose }: OfOrder): ReactNode {
  const words = useWords().commerce;
  const choices = useReasons();
  const { draft, setDraft, bind, act, forget } = useOrderChange(
    `return ${order.id}`,
    `/api/orders/${order.id}/returns`,
    onClose,
    {
      reason: 'changed_mind',
    },
  );
  const lines = order.lines
    .filter(({ fulfilled, returned }) => returned < fulfilled)
    .map(({ id, title, options, fulfilled, returned }) => ({
      id,
      title,
      detail: optionsText(options),
      most: fulfilled - returned,
    }));
  return (
    <Dialog title={words.takeBack} onClose={onClose}>
      <NotTold order={order} />
      <Form
        submit={words.takeBack}
        busy={act.isPending}
        error={act.error}
        onProposed={forget}
        onCancel={onClose}
        onSubmit={() =>
          act.mutate({
            lines: quantitiesOf(lines, draft, 'none'),
            reason: draft['reason'],
            note: given(draft['note']),
          })
        }
      >
        <Quantities of={lines} draft={draft} onChange={setDraft} otherwise="none" />
        <Field label={words.reason} {...bind('reason')} options={choices} />
        <Field label={words.note} kind="area" optional {...bind('note')} />
      </Form>
    </Dialog>
  );
}

const cancelReasons = ['customer', 'out_of_stock', 'payment', 'fraud', 'staff', 'other'] as const;

function Cancel({ order, onClose }: OfOrder): ReactNode {
  const words = useWords().commerce;
  const { draft, bind, act, forget } = useOrderChange(`cancel ${order.id}`, `/api/orders/${order.id}/cancel`, onClose, {
    reason: 'customer',
  });
  return (
    <Dialog title={words.cancelOrder} onClose={onClose}>
      <p>{words.cancelLead}</p>
      <NotTold order={order} />
      <Form
        submit={words.cancelOrder}
        busy={act.isPending}
        error={act.error}
        onProposed={forget}
        onCancel={onClose}
        onSubmit={() => act.mutate({ reason: draft['reason'] })}
      >
        <Field
          label={words.reason}
          {...bind('reason')}
          options={cancelReasons.map((one) => [one, words.cancelReasons[one]] as const)}
        />
      </Form>
    </Dialog>
  );
}

function Note({ order, onClose }: OfOrder): ReactNode {
  const words = useWords().commerce;
  const { draft, bind, act, forget } = useOrderChange(
    `note ${order.id}`,
    `/api/orders/${order.id}`,
    onClose,
    { note: order.note ?? '', tags: order.tags.join(', ') },
    'PATCH',
  );
  return (
    <Dialog title={words.writeNote} onClose={onClose}>
      <Form
        submit={words.writeNote}
        busy={act.isPending}
        error={act.error}
        onProposed={forget}
        onCancel={onClose}
        onSubmit={() =>
          act.mutate({
            note: given(draft['note']) ?? null,
            tags: (draft['tags'] ?? '')
              .split(/[,、，]/)
              .map((tag) => tag.trim())
              .filter((tag) => tag !== ''),
          })
        }
      >
        <Field label={words.note} kind="area" optional {...bind('note')} />
        <Field label={words.tags} optional hint={words.tagsHint} {...bind('tags')} />
      </Form>
    </Dialog>
  );
}

function OfReturn({
  act: which,
  of,
  onClose,
}: {
  readonly act: Act;
  readonly of: Return;
  readonly onClose: () => void;
}): ReactNode {
  const words = useWords().commerce;
  const [verb, label] =
    which === 'receive'
      ? (['receive', words.receive] as const)
      : which === 'approve-return'
        ? (['approve', words.approveReturn] as const)
        : (['reject', words.rejectReturn] as const);
  const { draft, setDraft, bind, act, forget } = useOrderChange(
    `${verb} ${of.id}`,
    `/api/returns/${of.id}/${verb}`,
    onClose,
  );
  const lines = of.lines.map(({ lineId, title, sku, quantity }) => ({
    id: lineId,
    title,
    detail: sku ?? '',
    most: quantity,
  }));
  const damaged = draft['damaged'] === 'yes';
  return (
    <Dialog title={label} onClose={onClose}>
      <Form
        submit={label}
        busy={act.isPending}
        error={act.error}
        onProposed={forget}
        onCancel={onClose}
        onSubmit={() =>
          act.mutate(
            verb === 'receive'
              ? {
                  lines: lines.map(({ id, most }) => {
                    const received = Number(draft[`line ${id}`] ?? most);
                    return { lineId: id, received, damaged: damaged ? received : 0 };
                  }),
                }
              : verb === 'reject'
                ? { note: given(draft['note']) }
                : {},
          )
        }
      >
        {verb === 'receive' ? (
          <>
            <Quantities of={lines} draft={draft} onChange={setDraft} otherwise="all" />
            <Check
              label={words.allDamaged}
              name="damaged"
              value={damaged}
              onChange={(value) => setDraft({ ...draft, damaged: value ? 'yes' : '' })}
              hint={words.damagedHint}
            />
          </>
        ) : (
          <p>
            <Said>{piecesText(of.lines)}</Said>
          </p>
        )}
        {verb === 'reject' ? <Field label={words.note} kind="area" optional {...bind('note')} /> : null}
      </Form>
    </Dialog>
  );
}
