import type { ReactNode } from 'react';
import type { Query } from '../../data/api.ts';
import { useMay } from '../../data/organization.ts';
import { useApi, usePages, type Paged } from '../../data/queries.ts';
import { Badge } from '../../parts/badge.tsx';
import { CursorList } from '../../parts/cursor-list.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Money } from '../../parts/money.tsx';
import { Page } from '../../parts/page.tsx';
import { Said } from '../../parts/said.tsx';
import { Table } from '../../parts/table.tsx';
import { Choice } from '../../parts/tabs.tsx';
import { useFilters } from '../../shell/go.tsx';
import { useWords } from '../../words/language.ts';
import { OrdersByDay } from './orders-by-day.tsx';
import { CommerceTabs, Row } from './parts.tsx';
import { Search } from './search.tsx';
import { SettingUp } from './setting-up.tsx';
import { FulfilmentBadge, PaymentBadge } from './states.tsx';
import { WhyNot } from './why-not.tsx';
import { piecesText, type Order, type OrderSummary, type Posting, type Return } from './types.ts';

const views = ['ship', 'partly', 'pay', 'returns', 'problems', 'all'] as const;
type View = (typeof views)[number];
const isView = (text: string | undefined): text is View => views.includes(text as View);

/** As orders here are numbered; anything else may be what a shop at a marketplace calls one. */
const isNumber = /^(?:TEST-)?[1-9][0-9]{0,14}$/i;

/** What each view of orders asks for. */
const asked = {
  ship: { status: 'open', fulfilmentStatus: 'unfulfilled' },
  partly: { status: 'open', fulfilmentStatus: 'partially_fulfilled' },
  pay: { status: 'open', due: true },
  all: {},
} as const;
/** As many as a count says; the server does not count all. */
const counted = 50;

/** What is to do, by what it is: nobody has to know states to know what comes next. */
export default function Orders(): ReactNode {
  const words = useWords().commerce;
  const [{ view: given, mode = 'live', q = '' }, setFilters] = useFilters();
  const view = isView(given) ? given : 'ship';
  const testing = mode === 'test' ? 'test' : 'live';
  const count = {
    ship: useCount('/api/orders', { ...asked.ship, mode: testing }),
    partly: useCount('/api/orders', { ...asked.partly, mode: testing }),
    pay: useCount('/api/orders', { ...asked.pay, mode: testing }),
    returns: useCount('/api/returns', { open: true, mode: testing }),
    problems: useCount('/api/order-postings', { state: 'waiting' }),
    all: '',
  };
  return (
    <Page
      title={words.orders}
      bar={
        <>
          <CommerceTabs />
          <Row>
            <Choice
              label={words.toDo}
              value={view}
              onChange={(next) => setFilters({ view: next === 'ship' ? undefined : next, q: undefined })}
              of={views.map((one) => [one, count[one] === '' ? words.views[one] : `${words.views[one]} ${count[one]}`])}
            />
            <Choice
              label={words.mode}
              value={testing}
              onChange={(next) => setFilters({ mode: next === 'live' ? undefined : next })}
              of={[
                ['live', words.live],
                ['test', words.test],
              ]}
            />
          </Row>
          {view !== 'returns' && view !== 'problems' ? (
            <Search value={q} onSearch={(text) => setFilters({ q: text, view: text === '' ? view : 'all' })} />
          ) : null}
        </>
      }
    >
      {view === 'returns' ? (
        <Returns mode={testing} />
      ) : view === 'problems' ? (
        <Problems />
      ) : (
        <>
          <List key={view} view={view} mode={testing} q={q} />
          {view === 'all' && q === '' ? <OrdersByDay mode={testing} /> : null}
        </>
      )}
    </Page>
  );
}

function useCount(path: string, query: Query): string {
  const { data } = useApi<Paged<unknown>>('commerce', path, { query: { ...query, limit: counted } });
  if (data === undefined || data.items.length === 0) return '';
  return `${data.items.length}${data.nextCursor === null || data.nextCursor === undefined ? '' : '+'}`;
}

/** Where no order ever came, nothing is shipped either. */
function NothingToDo({ view, mode }: { readonly view: keyof typeof asked; readonly mode: string }): ReactNode {
  const words = useWords().commerce;
  const setsUp = useMay('owner', 'admin') && mode === 'live';
  const query = useApi<Paged<OrderSummary>>('commerce', '/api/orders', { query: { mode, limit: 1 } });
  return (
    <Loaded query={query}>
      {({ items }) =>
        items.length === 0 ? (
          <>
            <Empty title={words.noOrders} prompt={words.noOrdersPrompt}>
              {words.noOrdersLead}
            </Empty>
            {setsUp ? <SettingUp /> : null}
          </>
        ) : (
          <Empty title={words.nothingToDo[view]} />
        )
      }
    </Loaded>
  );
}

function List({
  view,
  mode,
  q,
}: {
  readonly view: keyof typeof asked;
  readonly mode: string;
  readonly q: string;
}): ReactNode {
  const words = useWords().commerce;
  const sought =
    q === ''
      ? {}
      : q.includes('@')
        ? { email: q }
        : isNumber.test(q)
          ? { number: q.toUpperCase() }
          : { externalName: q };
  const pages = usePages<OrderSummary>('commerce', '/api/orders', { ...asked[view], ...sought, mode });
  return (
    <CursorList
      pages={pages}
      empty={q === '' ? <NothingToDo view={view} mode={mode} /> : <Empty title={words.noneFound} />}
    >
      {(items) => (
        <Table
          label={words.orders}
          rows={items}
          rowKey={({ id }) => id}
          to={({ id }) => `/commerce/orders/${id}`}
          record={({ id, number }) => ({
            title: words.order(number),
            id,
            place: 'commerce',
            path: `/api/orders/${id}`,
          })}
          columns={[
            {
              head: words.number,
              first: true,
              cell: ({ number, externalName }) => <Said>{[number, externalName].filter(Boolean).join(' ')}</Said>,
            },
            { head: words.customer, cell: ({ name, email }) => <Said>{name ?? email}</Said> },
            { head: words.placed, cell: ({ placedAt }) => <Moment at={placedAt} ago />, wide: true },
            {
              head: words.payment,
              cell: ({ paymentStatus, status }) => <PaymentBadge of={paymentStatus} order={status} />,
            },
            {
              head: words.fulfilment,
              cell: (order) => <FulfilmentBadge of={order} />,
            },
            { head: words.units, align: 'end', wide: true, cell: ({ units }) => units },
            { head: words.total, align: 'end', cell: ({ total }) => <Money of={total} /> },
          ]}
        />
      )}
    </CursorList>
  );
}

function Returns({ mode }: { readonly mode: string }): ReactNode {
  const words = useWords().commerce;
  const pages = usePages<Return>('commerce', '/api/returns', { mode });
  return (
    <CursorList pages={pages} empty={<Empty title={words.nothingToDo.returns} />}>
      {(items) => (
        <Table
          label={words.returns}
          rows={items}
          rowKey={({ id }) => id}
          to={({ orderId }) => `/commerce/orders/${orderId}`}
          record={({ id, orderNumber }) => ({
            title: words.returnOf(orderNumber),
            id,
            place: 'commerce',
            path: `/api/returns/${id}`,
          })}
          columns={[
            { head: words.number, cell: ({ orderNumber }) => <Said>{orderNumber}</Said> },
            {
              head: words.state,
              cell: ({ state }) => (
                <Badge tone={state === 'requested' || state === 'approved' || state === 'received' ? 'waits' : 'plain'}>
                  {words.returnState[state]}
                </Badge>
              ),
            },
            { head: words.reason, cell: ({ reason }) => words.reasons[reason] },
            {
              head: words.lines,
              cell: ({ lines }) => <Said>{piecesText(lines)}</Said>,
            },
            { head: words.asked, wide: true, cell: ({ createdAt }) => <Moment at={createdAt} ago /> },
          ]}
        />
      )}
    </CursorList>
  );
}

/** Postings name their order by its id alone. */
function OfOrder({ id, say }: { readonly id: string; readonly say: (order: Order) => ReactNode }): ReactNode {
  const { data } = useApi<Order>('commerce', `/api/orders/${id}`);
  return data === undefined ? '…' : say(data);
}

const numberOf = ({ number }: Order): ReactNode => <Said>{number}</Said>;
const totalOf = ({ total }: Order): ReactNode => <Money of={total} />;

function Problems(): ReactNode {
  const words = useWords().commerce;
  const pages = usePages<Posting>('commerce', '/api/order-postings', { state: 'waiting' });
  return (
    <CursorList pages={pages} empty={<Empty title={words.nothingToDo.problems} />}>
      {(items) => (
        <Table
          label={words.views.problems}
          rows={items}
          rowKey={({ id }) => id}
          to={({ orderId }) => (orderId === null ? '/commerce?view=problems' : `/commerce/orders/${orderId}`)}
          record={({ id, kind }) => ({ title: words.postingKind[kind], id })}
          columns={[
            {
              head: words.number,
              cell: ({ orderId }) => (orderId === null ? '—' : <OfOrder id={orderId} say={numberOf} />),
            },
            { head: words.what, cell: ({ kind }) => words.postingKind[kind] },
            { head: words.why, cell: (posting) => <WhyNot of={posting} /> },
            {
              head: words.total,
              align: 'end',
              cell: ({ orderId }) => (orderId === null ? null : <OfOrder id={orderId} say={totalOf} />),
            },
            { head: words.since, wide: true, cell: ({ createdAt }) => <Moment at={createdAt} ago /> },
          ]}
        />
      )}
    </CursorList>
  );
}
