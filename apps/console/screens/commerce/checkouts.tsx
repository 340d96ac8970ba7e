import type { ReactNode } from 'react';
import type { Amount } from '../../data/money.ts';
import { usePages } from '../../data/queries.ts';
import { Badge, type Tone } from '../../parts/badge.tsx';
import { CursorList } from '../../parts/cursor-list.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Money } from '../../parts/money.tsx';
import { Page } from '../../parts/page.tsx';
import { Said } from '../../parts/said.tsx';
import { Table } from '../../parts/table.tsx';
import { Choice } from '../../parts/tabs.tsx';
import { Go, useFilters } from '../../shell/go.tsx';
import { useWords } from '../../words/language.ts';
import { Conversion } from './conversion.tsx';
import { CommerceTabs } from './parts.tsx';

const states = ['expired', 'open', 'ready', 'completing', 'cancelled', 'completed'] as const;
type State = (typeof states)[number];

interface Checkout {
  readonly id: string;
  readonly status: State;
  readonly mode: 'live' | 'test';
  readonly email: string | null;
  readonly name: string | null;
  readonly total: Amount;
  readonly units: number;
  readonly orderId: string | null;
  readonly orderNumber: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
}

const tones: Readonly<Record<State, Tone>> = {
  expired: 'plain',
  open: 'plain',
  ready: 'waits',
  completing: 'waits',
  cancelled: 'plain',
  completed: 'held',
};

/** Who began to buy and did not go on: those first that ended without an order. */
export default function Checkouts(): ReactNode {
  const words = useWords().selling;
  const [{ status }, setFilters] = useFilters();
  const state = states.find((one) => one === status) ?? 'expired';
  const pages = usePages<Checkout>('commerce', '/api/checkouts', { status: state });
  return (
    <Page
      title={words.checkouts}
      lead={words.checkoutsLead}
      bar={
        <>
          <CommerceTabs />
          <Choice<State>
            label={words.state}
            value={state}
            onChange={(next) => setFilters({ status: next === 'expired' ? undefined : next })}
            of={states.map((one) => [one, words.checkoutState[one]])}
          />
        </>
      }
    >
      {state === 'expired' ? <Conversion /> : null}
      <CursorList pages={pages} empty={<Empty title={state === 'expired' ? words.noCheckouts : words.noCheckoutsSo} />}>
        {(items) => (
          <Table
            label={words.checkouts}
            rows={items}
            rowKey={({ id }) => id}
            record={({ id }) => ({ title: words.checkout, id, place: 'commerce', path: `/api/checkouts/${id}` })}
            columns={[
              {
                head: words.who,
                cell: ({ name, email }) => <Said>{[name, email].filter(Boolean).join(' · ') || words.nobodyYet}</Said>,
              },
              {
                head: words.state,
                cell: ({ status: one, mode }) => (
                  <>
                    <Badge tone={tones[one]}>{words.checkoutState[one]}</Badge>{' '}
                    {mode === 'test' ? <Badge tone="accent">{words.test}</Badge> : null}
                  </>
                ),
              },
              { head: words.units, align: 'end', wide: true, cell: ({ units }) => units },
              { head: words.total, align: 'end', cell: ({ total }) => <Money of={total} /> },
              { head: words.last, cell: ({ updatedAt }) => <Moment at={updatedAt} ago /> },
              // What was left led to no order.
              ...(items.every(({ orderId }) => orderId === null)
                ? []
                : [
                    {
                      head: words.order,
                      cell: ({ orderId, orderNumber }: Checkout) =>
                        orderId === null ? null : (
                          <Go to={`/commerce/orders/${orderId}`}>{orderNumber ?? words.order}</Go>
                        ),
                    },
                  ]),
            ]}
          />
        )}
      </CursorList>
    </Page>
  );
}
