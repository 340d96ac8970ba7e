import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api } from '../../data/api.ts';
import { useTenant } from '../../data/organization.ts';
import { useApi, type Paged } from '../../data/queries.ts';
import { useAct } from '../../data/step-up.ts';
import { Badge } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { Failure } from '../../parts/failure.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Said } from '../../parts/said.tsx';
import { Table } from '../../parts/table.tsx';
import { Go, type To } from '../../shell/go.tsx';
import { useWords } from '../../words/language.ts';
import type { Channel, DataRequest } from './channel-types.ts';
import styles from './commerce.module.css';
import type { Level } from './types.ts';

/** So many are shown of each: there may be a hundred. */
const shown = 10;

/** What of a shop a person should look at: nothing where there is nothing. */
export function Look({ of }: { readonly of: Channel }): ReactNode {
  const words = useWords().selling.channels;
  const { ordersToLookAt: orders, stockToLookAt: stock, productsToLookAt: products } = of;
  const titles = useTitles(stock.slice(0, shown).map(({ variantId }) => variantId));
  return (
    <>
      <Several title={words.lookOrders} of={orders}>
        {({ orderId, externalName, attention }) => (
          <Thing key={orderId} because={attention}>
            <Go to={`/commerce/orders/${orderId}`}>
              <Said>{externalName}</Said>
            </Go>
          </Thing>
        )}
      </Several>
      <Several title={words.lookStock} of={stock}>
        {({ variantId, because }) => (
          <Thing key={variantId} because={[because]}>
            <Said>{titles.get(variantId) ?? `${words.aVariant} ${variantId}`}</Said>
          </Thing>
        )}
      </Several>
      <Several title={words.lookProducts} of={products}>
        {({ productId, because, detail }) => (
          <Thing key={productId} because={[because]} detail={detail}>
            <Called
              path={`/api/products/${productId}`}
              to={`/commerce/products/${productId}`}
              otherwise={words.aProduct}
            />
          </Thing>
        )}
      </Several>
    </>
  );
}

function Several<T>({
  title,
  of,
  children,
}: {
  readonly title: string;
  readonly of: readonly T[];
  readonly children: (one: T) => ReactNode;
}): ReactNode {
  const words = useWords().selling.channels;
  if (of.length === 0) return null;
  return (
    <div className={styles['upload']}>
      <h3>
        {title} <Badge tone="waits">{of.length}</Badge>
      </h3>
      <ul className={styles['items']}>{of.slice(0, shown).map(children)}</ul>
      {of.length > shown ? <p className={styles['soft']}>{words.more(of.length - shown)}</p> : null}
    </div>
  );
}

/** What it is, and why it is to be looked at: in the words of the shop too, where it gave any. */
function Thing({
  because,
  detail = null,
  children,
}: {
  readonly because: readonly string[];
  readonly detail?: string | null;
  readonly children: ReactNode;
}): ReactNode {
  const words = useWords().selling.channels;
  return (
    <li>
      {children}
      <p className={styles['soft']}>
        <Said>{because.map((one) => words.attention[one] ?? one).join(' · ')}</Said>
        {detail === null ? null : (
          <>
            {' '}
            <Said>{detail}</Said>
          </>
        )}
      </p>
    </li>
  );
}

/** A link that says what people call it, once that is known. */
function Called({
  path,
  to,
  otherwise,
}: {
  readonly path: string;
  readonly to: To;
  readonly otherwise: string;
}): ReactNode {
  const { data } = useApi<{ readonly title?: string; readonly number?: string; readonly name?: string | null }>(
    'commerce',
    path,
  );
  return (
    <Go to={to}>
      <Said>{data?.title ?? data?.number ?? data?.name ?? otherwise}</Said>
    </Go>
  );
}

/** Of variants that are counted here. */
function useTitles(variantIds: readonly string[]): ReadonlyMap<string, string> {
  const tenant = useTenant();
  const { data } = useQuery({
    queryKey: [tenant, 'commerce', '/api/stock/levels', { variantIds }],
    queryFn: async ({ signal }) =>
      api<Paged<Level>>('commerce', '/api/stock/levels', { tenant, body: { variantIds, limit: 200 }, signal }),
    enabled: variantIds.length > 0,
  });
  return new Map(data?.items.flatMap(({ variants }) => variants.map(({ id, title }) => [id, title] as const)));
}

/** Buyers who are to be told what is known of them. */
export function DataRequests({ of, mayChange }: { readonly of: Channel; readonly mayChange: boolean }): ReactNode {
  const { selling, parts } = useWords();
  const words = selling.channels;
  const tenant = useTenant();
  const act = useAct(async (requestId: string) =>
    api('commerce', `/api/channels/${of.id}/data-requests/${requestId}/answered`, { tenant, method: 'POST' }),
  );
  if (of.dataRequests.length === 0) return null;
  return (
    <div className={styles['upload']}>
      <h3>{words.requests}</h3>
      <p className={styles['soft']}>{words.requestsLead}</p>
      <Failure error={act.error} />
      <Table
        label={words.requests}
        rows={of.dataRequests}
        rowKey={({ id }) => id}
        columns={[
          { head: words.who, cell: ({ contactId }) => <Buyer id={contactId} /> },
          { head: words.orders, cell: (one) => <Orders of={one} /> },
          { head: words.asked, cell: ({ requestedAt }) => <Moment at={requestedAt} ago /> },
          ...(mayChange
            ? [
                {
                  head: parts.actions,
                  cell: ({ id }: DataRequest) => (
                    <Button busy={act.isPending} onClick={() => act.mutate(id)}>
                      {words.answered}
                    </Button>
                  ),
                },
              ]
            : []),
        ]}
      />
    </div>
  );
}

function Buyer({ id }: { readonly id: string | null }): ReactNode {
  const words = useWords().selling.channels;
  if (id === null) return <span className={styles['soft']}>{words.unknownBuyer}</span>;
  return <Called path={`/api/contacts/${id}`} to={`/people/${id}`} otherwise={words.who} />;
}

const Orders = ({ of: { orderIds } }: { readonly of: DataRequest }): ReactNode => {
  const words = useWords().selling.channels;
  return orderIds.slice(0, shown).map((id, at) => (
    <span key={id}>
      {at === 0 ? '' : ', '}
      <Called path={`/api/orders/${id}`} to={`/commerce/orders/${id}`} otherwise={words.anOrder} />
    </span>
  ));
};
