import { useState, type ReactNode } from 'react';
import { api } from '../../data/api.ts';
import { useMay, useTenant } from '../../data/organization.ts';
import { useApi, usePages, type Paged } from '../../data/queries.ts';
import { legible } from '../../data/legible.ts';
import { useAct } from '../../data/step-up.ts';
import { Badge } from '../../parts/badge.tsx';
import { Button, ButtonLink } from '../../parts/button.tsx';
import { CursorList } from '../../parts/cursor-list.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Failure } from '../../parts/failure.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Page } from '../../parts/page.tsx';
import { Said } from '../../parts/said.tsx';
import { Table } from '../../parts/table.tsx';
import { Choice } from '../../parts/tabs.tsx';
import { useFilters } from '../../shell/go.tsx';
import { useWords } from '../../words/language.ts';
import styles from './commerce.module.css';
import { CommerceTabs, Picture, Row } from './parts.tsx';
import { Prices } from './prices.tsx';
import { AddProduct } from './product-add.tsx';
import { Search } from './search.tsx';
import type { Brand, Product } from './types.ts';

const states = ['all', 'active', 'draft', 'archived'] as const;
type State = (typeof states)[number];
const tones = { draft: 'waits', active: 'held', archived: 'plain' } as const;

export default function Products(): ReactNode {
  const words = useWords().commerce;
  const manages = useMay('owner', 'admin', 'merchandiser', 'developer');
  const [{ status, q = '' }, setFilters] = useFilters();
  const state = states.find((one) => one === status) ?? 'all';
  const [adding, setAdding] = useState(false);
  const [picked, setPicked] = useState<ReadonlyMap<string, Product>>(new Map());
  const pages = usePages<Product>('commerce', '/api/products', {
    ...(state === 'all' ? {} : { status: state }),
    query: q,
  });
  const pick = (product: Product, on: boolean): void => {
    const next = new Map(picked);
    if (on) next.set(product.id, product);
    else next.delete(product.id);
    setPicked(next);
  };
  const add = (
    <Button kind="first" onClick={() => setAdding(true)}>
      {words.addProduct}
    </Button>
  );
  return (
    <Page
      title={words.catalogue}
      actions={
        manages ? (
          <>
            {add}
            <ButtonLink to="/commerce/products/import">{words.csv}</ButtonLink>
          </>
        ) : null
      }
      bar={
        <>
          <CommerceTabs />
          <Row>
            <Choice<State>
              label={words.state}
              value={state}
              onChange={(next) => setFilters({ status: next === 'all' ? undefined : next })}
              of={states.map((one) => [one, words.productState[one]])}
            />
            <Search value={q} label={words.findProduct} onSearch={(text) => setFilters({ q: text })} />
          </Row>
        </>
      }
    >
      {adding ? <AddProduct onClose={() => setAdding(false)} /> : null}
      <CursorList
        pages={pages}
        empty={
          q === '' && state === 'all' ? (
            <Empty title={words.noProducts} prompt={words.noProductsPrompt} {...(manages ? { action: add } : {})}>
              {words.noProductsLead}
            </Empty>
          ) : (
            <Empty title={words.noneFound} />
          )
        }
      >
        {(items) => (
          <Table
            label={words.catalogue}
            rows={items}
            rowKey={({ id }) => id}
            to={({ id }) => `/commerce/products/${id}`}
            record={({ id, title }) => ({ title, id, place: 'commerce', path: `/api/products/${id}` })}
            columns={[
              ...(manages
                ? [
                    {
                      head: words.pick,
                      cell: (product: Product) => (
                        <input
                          type="checkbox"
                          className={styles['pick']}
                          aria-label={words.pickOne(legible(product.title))}
                          checked={picked.has(product.id)}
                          onChange={({ target }) => pick(product, target.checked)}
                        />
                      ),
                    },
                  ]
                : []),
              {
                head: words.product,
                first: true,
                cell: ({ title, image }) => (
                  <span className={styles['named']}>
                    <Picture of={image === null ? null : { ...image, alt: '' }} />
                    <Said>{title}</Said>
                  </span>
                ),
              },
              {
                head: words.state,
                cell: ({ status: one }) => <Badge tone={tones[one]}>{words.productState[one]}</Badge>,
              },
              { head: words.variants, align: 'end', cell: ({ variantCount }) => variantCount },
              { head: words.brands, align: 'end', wide: true, cell: ({ brandIds }) => brandIds.length },
              { head: words.changed, wide: true, cell: ({ updatedAt }) => <Moment at={updatedAt} ago /> },
            ]}
          />
        )}
      </CursorList>
      {picked.size === 0 ? null : <Bulk of={[...picked.values()]} onDone={() => setPicked(new Map())} />}
    </Page>
  );
}

/** What is done to all that are picked, in one call: all of it or nothing. */
function Bulk({ of, onDone }: { readonly of: readonly Product[]; readonly onDone: () => void }): ReactNode {
  const words = useWords().commerce;
  const tenant = useTenant();
  const [pricing, setPricing] = useState(false);
  const brands = useApi<Paged<Brand>>('portal', '/api/brands', { query: { limit: 100 } });
  const ids = of.map(({ id }) => id);
  const act = useAct(
    async ({ method = 'POST', path, body }: { method?: string; path: string; body: object }) =>
      api('commerce', path, { tenant, method, body }),
    { onDone },
  );
  const set = (status: Product['status']): void =>
    act.mutate({
      method: 'PATCH',
      path: '/api/products',
      body: {
        products: of.map(({ id, version }) => ({ productId: id, expectedVersion: version, status })),
      },
    });
  return (
    <>
      {pricing ? (
        <Prices
          products={of}
          onClose={() => setPricing(false)}
          onDone={() => {
            setPricing(false);
            onDone();
          }}
        />
      ) : null}
      <div className={styles['bulk']} role="region" aria-label={words.picked(of.length)}>
        <strong>{words.picked(of.length)}</strong>
        <Button busy={act.isPending} onClick={() => set('active')}>
          {words.activate}
        </Button>
        <Button busy={act.isPending} onClick={() => set('draft')}>
          {words.toDraft}
        </Button>
        <Button busy={act.isPending} onClick={() => set('archived')}>
          {words.archive}
        </Button>
        <Button onClick={() => setPricing(true)}>{words.prices}</Button>
        {brands.data?.items.map(({ id, name }) => (
          <span key={id} className={styles['row']}>
            {of.every(({ brandIds }) => brandIds.includes(id)) ? (
              <Button
                busy={act.isPending}
                onClick={() =>
                  act.mutate({ path: '/api/products/unpublish', body: { productIds: ids, brandIds: [id] } })
                }
              >
                {words.unpublishFrom(name)}
              </Button>
            ) : (
              <Button
                busy={act.isPending}
                onClick={() => act.mutate({ path: '/api/products/publish', body: { productIds: ids, brandIds: [id] } })}
              >
                {words.publishTo(name)}
              </Button>
            )}
          </span>
        ))}
        <Button onClick={onDone}>{words.unpick}</Button>
        <Failure error={act.error} />
      </div>
    </>
  );
}
