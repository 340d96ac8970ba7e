import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { api } from '../../data/api.ts';
import { useDraft } from '../../data/draft.ts';
import { useMay, useTenant } from '../../data/organization.ts';
import { useApi, type Paged } from '../../data/queries.ts';
import { useAct } from '../../data/step-up.ts';
import { Badge } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Failure } from '../../parts/failure.tsx';
import { FileInput } from '../../parts/file-input.tsx';
import { Field, Form } from '../../parts/form.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Money } from '../../parts/money.tsx';
import { Facts, Page, Section } from '../../parts/page.tsx';
import { Prose } from '../../parts/prose.tsx';
import { Said } from '../../parts/said.tsx';
import { Table } from '../../parts/table.tsx';
import { useRecord } from '../../shell/record.ts';
import { useWords } from '../../words/language.ts';
import styles from './commerce.module.css';
import { Chain } from './order-trail.tsx';
import { CommerceTabs, Picture, Row } from './parts.tsx';
import { Prices } from './prices.tsx';
import { optionsText, type Brand, type Level, type Location, type ProductWhole } from './types.ts';

const tones = { draft: 'waits', active: 'held', archived: 'plain' } as const;

export default function ProductPage(): ReactNode {
  const { product: id = '' } = useParams({ strict: false }) as { product?: string };
  const words = useWords().commerce;
  const product = useApi<ProductWhole>('commerce', `/api/products/${id}`);
  useRecord({ title: product.data?.title ?? words.product, id, place: 'commerce', path: `/api/products/${id}` });
  if (product.data === undefined)
    return (
      <Page title={words.product} bar={<CommerceTabs />}>
        <Loaded query={product} lines={12}>
          {() => null}
        </Loaded>
      </Page>
    );
  return <Whole key={id} of={product.data} />;
}

function Whole({ of }: { readonly of: ProductWhole }): ReactNode {
  const words = useWords().commerce;
  const tenant = useTenant();
  const manages = useMay('owner', 'admin', 'merchandiser', 'developer');
  const [open, setOpen] = useState<'words' | 'prices'>();
  const brands = useApi<Paged<Brand>>('portal', '/api/brands', { query: { limit: 100 } });
  const act = useAct(async ({ method = 'POST', path, body }: { method?: string; path: string; body: object }) =>
    api('commerce', path, { tenant, method, body }),
  );
  const close = (): void => setOpen(undefined);
  const set = (status: ProductWhole['status']): void =>
    act.mutate({
      method: 'PATCH',
      path: '/api/products',
      body: { products: [{ productId: of.id, expectedVersion: of.version, status }] },
    });
  return (
    <Page
      title={of.title}
      lead={<Badge tone={tones[of.status]}>{words.productState[of.status]}</Badge>}
      bar={<CommerceTabs />}
      actions={
        manages ? (
          <>
            <Button onClick={() => setOpen('words')}>{words.changeIt}</Button>
            <Button onClick={() => setOpen('prices')}>{words.prices}</Button>
            {of.status === 'active' ? (
              <Button busy={act.isPending} onClick={() => set('draft')}>
                {words.toDraft}
              </Button>
            ) : (
              <Button kind="first" busy={act.isPending} onClick={() => set('active')}>
                {words.activate}
              </Button>
            )}
          </>
        ) : null
      }
    >
      <Failure error={act.error} />
      {open === 'words' ? <Change of={of} onClose={close} /> : null}
      {open === 'prices' ? <Prices products={[of]} onClose={close} onDone={close} /> : null}
      <div className={styles['columns']}>
        <div className={styles['stack']}>
          <Section title={words.pictures}>
            <Pictures of={of} mayChange={manages} />
          </Section>
          <Section title={words.variants}>
            <Variants of={of} mayCount={manages} />
          </Section>
          <Section title={words.description}>
            <Prose>{of.description}</Prose>
          </Section>
          <Chain id={of.id} />
        </div>
        <div className={styles['stack']}>
          <Section title={words.facts}>
            <Facts
              of={[
                [words.handle, <Said key="handle">{of.handle}</Said>],
                [words.vendor, <Said key="vendor">{of.vendor}</Said>],
                [words.kind, <Said key="type">{of.type}</Said>],
                [words.tags, <Said key="tags">{of.tags.join(', ')}</Said>],
                [words.taxCategory, <Said key="tax">{of.taxCategory}</Said>],
              ]}
            />
          </Section>
          <Section title={words.brands}>
            <Loaded query={brands}>
              {({ items }) => (
                <ul className={styles['items']}>
                  {items.map(({ id, name }) => {
                    const published = of.brandIds.includes(id);
                    const path = published ? '/api/products/unpublish' : '/api/products/publish';
                    return (
                      <li key={id} className={styles['spread']}>
                        <span>
                          <Said>{name}</Said>{' '}
                          {published ? (
                            <Badge tone="held">{words.published}</Badge>
                          ) : (
                            <Badge>{words.notPublished}</Badge>
                          )}
                        </span>
                        {manages ? (
                          <Button
                            busy={act.isPending}
                            onClick={() => act.mutate({ path, body: { productIds: [of.id], brandIds: [id] } })}
                          >
                            {published ? words.unpublish : words.publish}
                          </Button>
                        ) : null}
                      </li>
                    );
                  })}
                </ul>
              )}
            </Loaded>
          </Section>
        </div>
      </div>
    </Page>
  );
}

function Variants({ of, mayCount }: { readonly of: ProductWhole; readonly mayCount: boolean }): ReactNode {
  const words = useWords().commerce;
  const tenant = useTenant();
  const levels = useLevels(of, tenant);
  const [counted, setCounted] = useState<ProductWhole['variants'][number]>();
  const uncounted = (id: string): ReactNode => {
    const variant = of.variants.find((one) => one.id === id);
    return variant === undefined || !mayCount ? (
      words.notCounted
    ) : (
      <Button onClick={() => setCounted(variant)}>{words.firstCount}</Button>
    );
  };
  return (
    <>
      {counted === undefined ? null : (
        <FirstCount of={counted} title={of.title} onClose={() => setCounted(undefined)} />
      )}
      <Table
        label={words.variants}
        rows={of.variants}
        rowKey={({ id }) => id}
        columns={[
          { head: words.variant, cell: ({ options }) => <Said>{optionsText(options) || of.title}</Said> },
          { head: words.sku, cell: ({ sku }) => <Said>{sku}</Said> },
          {
            head: words.price,
            align: 'end',
            cell: ({ prices }) => (
              <span className={styles['items']}>
                {prices.map(({ amount, currency, minQuantity }) => (
                  <span key={`${currency} ${minQuantity}`}>
                    {minQuantity > 1 ? `${words.pieces(minQuantity)} ` : ''}
                    <Money of={{ amount, currency }} />
                  </span>
                ))}
              </span>
            ),
          },
          {
            head: words.available,
            align: 'end',
            cell: ({ id }) => (levels === undefined ? '…' : (levels.get(id) ?? uncounted(id))),
          },
        ]}
      />
    </>
  );
}

/** What is on the shelf of a variant that nobody counted before: from then on no more is sold than that. */
function FirstCount({
  of,
  title,
  onClose,
}: {
  readonly of: ProductWhole['variants'][number];
  readonly title: string;
  readonly onClose: () => void;
}): ReactNode {
  const words = useWords().commerce;
  const tenant = useTenant();
  const locations = useApi<Paged<Location>>('commerce', '/api/locations', { query: { limit: 100 } });
  const places = locations.data?.items.filter(({ archivedAt }) => archivedAt === null) ?? [];
  const [draft, setDraft, forget] = useDraft<Readonly<Record<string, string>>>(`first count ${of.id}`, {});
  const act = useAct(
    async (line: object) => api('commerce', '/api/stock/counts', { tenant, body: { lines: [line] } }),
    {
      onDone: () => {
        forget();
        onClose();
      },
    },
  );
  const bind = (name: string, otherwise = '') => ({
    name,
    pointer: `/lines/0/${name}`,
    value: draft[name] ?? otherwise,
    onChange: (value: string) => setDraft({ ...draft, [name]: value }),
  });
  const [first] = places;
  return (
    <Dialog title={words.firstCount} onClose={onClose}>
      <p>
        <Said>{[title, optionsText(of.options)].filter(Boolean).join(' · ')}</Said>
      </p>
      <Form
        submit={words.firstCount}
        busy={act.isPending}
        error={act.error}
        onProposed={forget}
        onCancel={onClose}
        onSubmit={({ counted = '' }) =>
          act.mutate({
            variantId: of.id,
            counted: Number(counted === '' ? 'NaN' : counted),
            ...(places.length > 1 ? { locationId: draft['locationId'] ?? first?.id } : {}),
          })
        }
      >
        <Field label={words.counted} hint={words.firstCountHint} {...bind('counted')} />
        {places.length > 1 ? (
          <Field
            label={words.location}
            {...bind('locationId', first?.id)}
            options={places.map(({ id, name }) => [id, name] as const)}
          />
        ) : null}
      </Form>
    </Dialog>
  );
}

/** How many of each variant can be sold, over all locations. */
function useLevels(of: ProductWhole, tenant: string): ReadonlyMap<string, number> | undefined {
  const variantIds = of.variants.map(({ id }) => id).slice(0, 100);
  const { data } = useQuery({
    queryKey: [tenant, 'commerce', '/api/stock/levels', { variantIds }],
    queryFn: async ({ signal }) =>
      api<Paged<Level>>('commerce', '/api/stock/levels', { tenant, body: { variantIds, limit: 200 }, signal }),
    enabled: variantIds.length > 0,
  });
  if (data === undefined) return undefined;
  const found = new Map<string, number>();
  for (const level of data.items)
    for (const { id } of level.variants) found.set(id, (found.get(id) ?? 0) + level.available);
  return found;
}

function Pictures({ of, mayChange }: { readonly of: ProductWhole; readonly mayChange: boolean }): ReactNode {
  const words = useWords().commerce;
  const tenant = useTenant();
  const add = useAct(async (file: File) =>
    api('commerce', `/api/products/${of.id}/media`, {
      tenant,
      method: 'POST',
      body: file,
      headers: { 'content-type': file.type },
    }),
  );
  const remove = useAct(async (mediumId: string) =>
    api('commerce', '/api/products/media/remove', { tenant, body: { mediumIds: [mediumId] } }),
  );
  return (
    <>
      {of.media.length === 0 ? <p className={styles['soft']}>{words.noPictures}</p> : null}
      <div className={styles['pictures']}>
        {of.media.map((one) => (
          <figure key={one.id}>
            <Picture of={one.url === null ? null : { url: one.url, alt: one.alt }} size={112} />
            {one.status === 'failed' ? (
              <figcaption>
                <Badge tone="error">
                  <Said>{one.failure}</Said>
                </Badge>
              </figcaption>
            ) : null}
            {mayChange ? (
              <Button busy={remove.isPending} onClick={() => remove.mutate(one.id)}>
                {words.remove}
              </Button>
            ) : null}
          </figure>
        ))}
      </div>
      {mayChange ? (
        <Row>
          <label className={styles['upload']}>
            {words.addPicture}{' '}
            <FileInput
              accept="image/jpeg,image/png,image/webp,image/gif,image/avif"
              disabled={add.isPending}
              onChoose={([file]) => {
                if (file !== undefined) add.mutate(file);
              }}
            />
          </label>
        </Row>
      ) : null}
      <Failure error={add.error ?? remove.error} />
    </>
  );
}

function Change({ of, onClose }: { readonly of: ProductWhole; readonly onClose: () => void }): ReactNode {
  const words = useWords().commerce;
  const tenant = useTenant();
  const [draft, setDraft, forget] = useDraft<Readonly<Record<string, string>>>(`product ${of.id}`, {
    title: of.title,
    description: of.description,
    vendor: of.vendor ?? '',
    type: of.type ?? '',
    tags: of.tags.join(', '),
  });
  const act = useAct(
    async (change: object) =>
      api('commerce', '/api/products', {
        tenant,
        method: 'PATCH',
        body: { products: [{ productId: of.id, expectedVersion: of.version, ...change }] },
      }),
    {
      onDone: () => {
        forget();
        onClose();
      },
    },
  );
  const bind = (name: string) => ({
    name,
    pointer: `/products/0/${name}`,
    value: draft[name] ?? '',
    onChange: (value: string) => setDraft({ ...draft, [name]: value }),
  });
  return (
    <Dialog title={words.changeIt} onClose={onClose} wide>
      <Form
        submit={words.saveIt}
        busy={act.isPending}
        error={act.error}
        onProposed={forget}
        onCancel={onClose}
        onSubmit={() =>
          act.mutate({
            title: draft['title'],
            description: draft['description'],
            vendor: draft['vendor'] === '' ? null : draft['vendor'],
            type: draft['type'] === '' ? null : draft['type'],
            tags: (draft['tags'] ?? '')
              .split(/[,、，]/)
              .map((tag) => tag.trim())
              .filter((tag) => tag !== ''),
          })
        }
      >
        <Field label={words.title} {...bind('title')} />
        <Field label={words.description} kind="area" {...bind('description')} optional />
        <Field label={words.vendor} {...bind('vendor')} optional />
        <Field label={words.kind} {...bind('type')} optional />
        <Field label={words.tags} {...bind('tags')} optional hint={words.tagsHint} />
      </Form>
    </Dialog>
  );
}
