import { useState, type ReactNode } from 'react';
import { api } from '../../data/api.ts';
import { useChange } from '../../data/change.ts';
import { useMay, useTenant } from '../../data/organization.ts';
import { useApi, usePages, type Paged } from '../../data/queries.ts';
import { Badge } from '../../parts/badge.tsx';
import { Button, Buttons } from '../../parts/button.tsx';
import { CursorList } from '../../parts/cursor-list.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Field, Form } from '../../parts/form.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Named } from '../../parts/named.tsx';
import { Page } from '../../parts/page.tsx';
import { Said } from '../../parts/said.tsx';
import { Table } from '../../parts/table.tsx';
import { Choice } from '../../parts/tabs.tsx';
import { Go, useFilters } from '../../shell/go.tsx';
import { useWords } from '../../words/language.ts';
import { Locations } from './locations.tsx';
import { CommerceTabs, Row } from './parts.tsx';
import type { Item, Level, Location, Movement } from './types.ts';

const low = 5;

type StockAct = 'adjust' | 'count' | 'transfer';

export default function Stock(): ReactNode {
  const words = useWords().commerce;
  const manages = useMay('owner', 'admin', 'merchandiser', 'developer');
  const [{ show = 'levels', location = '', below = '', item = '' }, setFilters] = useFilters();
  const [acted, setActed] = useState<{ readonly act: StockAct; readonly level: Level }>();
  const locations = useApi<Paged<Location>>('commerce', '/api/locations', { query: { limit: 100 } });
  const view = show === 'movements' || show === 'locations' ? show : 'levels';
  return (
    <Page
      title={words.stock}
      bar={
        <>
          <CommerceTabs />
          <Row>
            <Choice
              label={words.stock}
              value={view}
              onChange={(next) => setFilters({ show: next === 'levels' ? undefined : next, item: undefined })}
              of={[
                ['levels', words.levels],
                ['movements', words.movements],
                ['locations', words.locations],
              ]}
            />
            {view === 'movements' && item !== '' ? (
              <Button onClick={() => setFilters({ item: undefined })}>{words.all}</Button>
            ) : null}
            {view === 'levels' ? (
              <Choice
                label={words.howMany}
                value={below === '' ? 'all' : 'low'}
                onChange={(next) => setFilters({ below: next === 'all' ? undefined : String(low) })}
                of={[
                  ['all', words.all],
                  ['low', words.belowSome(low)],
                ]}
              />
            ) : null}
            {view === 'levels' && (locations.data?.items.length ?? 0) > 1 ? (
              <Choice
                label={words.location}
                value={location}
                onChange={(next) => setFilters({ location: next })}
                of={[
                  ['', words.everywhere],
                  ...(locations.data?.items ?? []).map(({ id, name }) => [id, name] as const),
                ]}
              />
            ) : null}
          </Row>
        </>
      }
    >
      {acted === undefined ? null : acted.act === 'adjust' ? (
        <Adjust of={acted.level} onClose={() => setActed(undefined)} />
      ) : acted.act === 'count' ? (
        <Count of={acted.level} onClose={() => setActed(undefined)} />
      ) : (
        <Transfer of={acted.level} places={locations.data?.items ?? []} onClose={() => setActed(undefined)} />
      )}
      {view === 'locations' ? (
        <Loaded query={locations}>{({ items }) => <Locations of={items} manages={manages} />}</Loaded>
      ) : view === 'movements' ? (
        <Movements item={item} locations={locations.data?.items ?? []} />
      ) : (
        <Levels
          location={location}
          below={below}
          {...(manages ? { onAct: (act: StockAct, level: Level) => setActed({ act, level }) } : {})}
          several={(locations.data?.items ?? []).filter(({ archivedAt }) => archivedAt === null).length > 1}
        />
      )}
    </Page>
  );
}

/** An item that several variants share has a name for itself, or all of theirs. */
const skuOf = ({ sku, variants }: Item): string =>
  sku ??
  variants
    .map((variant) => variant.sku)
    .filter(Boolean)
    .join(', ');

const nameOf = ({ name, sku, variants }: Item): string => name ?? variants[0]?.title ?? sku ?? '';

/** Leads to what moved of it. */
const OfItem = ({ item }: { readonly item: Item }): ReactNode => {
  const words = useWords().commerce;
  return (
    <Go to={`/commerce/stock?show=movements&item=${item.itemId}`}>
      <Said>{nameOf(item) || words.movements}</Said>
    </Go>
  );
};

function Levels({
  location,
  below,
  onAct,
  several,
}: {
  readonly location: string;
  readonly below: string;
  readonly onAct?: (act: StockAct, level: Level) => void;
  /** Whether there is another location to move it to. */
  readonly several: boolean;
}): ReactNode {
  const { commerce: words, parts } = useWords();
  const pages = usePages<Level>('commerce', '/api/stock', { locationId: location, below });
  return (
    <CursorList
      pages={pages}
      empty={
        below === '' ? (
          <Empty title={words.noStock} prompt={words.noStockPrompt}>
            {words.noStockLead}
          </Empty>
        ) : (
          <Empty title={words.nothingLow} />
        )
      }
    >
      {(items) => (
        <Table
          label={words.levels}
          rows={items}
          rowKey={({ itemId, locationId }) => `${itemId} ${locationId}`}
          record={(level) => ({ title: nameOf(level), id: level.itemId })}
          columns={[
            { head: words.product, cell: (level) => <OfItem item={level} /> },
            { head: words.sku, cell: (level) => <Said>{skuOf(level)}</Said> },
            ...(several || items.some(({ locationId }) => locationId !== items[0]?.locationId)
              ? [{ head: words.location, cell: ({ location: place }: Level) => <Said>{place}</Said> }]
              : []),
            { head: words.onHand, align: 'end', cell: ({ onHand }) => onHand },
            { head: words.reserved, align: 'end', wide: true, cell: ({ reserved }) => reserved },
            { head: words.incoming, align: 'end', wide: true, cell: ({ incoming }) => incoming },
            {
              head: words.available,
              align: 'end',
              cell: ({ available }) => (available < low ? <Badge tone="waits">{available}</Badge> : available),
            },
            ...(onAct === undefined
              ? []
              : [
                  {
                    head: parts.actions,
                    cell: (level: Level) => (
                      <Buttons>
                        <Button onClick={() => onAct('adjust', level)}>{words.adjust}</Button>
                        <Button onClick={() => onAct('count', level)}>{words.countStock}</Button>
                        {several ? <Button onClick={() => onAct('transfer', level)}>{words.transfer}</Button> : null}
                      </Buttons>
                    ),
                  },
                ]),
          ]}
        />
      )}
    </CursorList>
  );
}

/** `type:id`, as stock notes whoever acted. */
function principalOf(actor: string) {
  const at = actor.indexOf(':');
  return { principal_type: actor.slice(0, at), principal_id: actor.slice(at + 1) };
}

function Movements({ item, locations }: { readonly item: string; readonly locations: readonly Location[] }): ReactNode {
  const words = useWords().commerce;
  const pages = usePages<Movement>('commerce', '/api/stock/movements', { itemId: item });
  const places = new Map(locations.map(({ id, name }) => [id, name]));
  const signed = (change: number): string => (change > 0 ? `+${change}` : String(change));
  return (
    <CursorList pages={pages} empty={<Empty title={words.noMovements} />}>
      {(items) => (
        <Table
          label={words.movements}
          rows={items}
          rowKey={({ id }) => id}
          record={({ id, kind }) => ({ title: words.movementKind[kind], id })}
          columns={[
            { head: words.product, cell: (movement) => <OfItem item={movement} /> },
            { head: words.what, cell: ({ kind }) => words.movementKind[kind] },
            ...(locations.length > 1
              ? [
                  {
                    head: words.location,
                    cell: ({ locationId }: Movement) => <Said>{places.get(locationId) ?? ''}</Said>,
                  },
                ]
              : []),
            { head: words.onHand, align: 'end', cell: ({ onHand }) => signed(onHand) },
            { head: words.reserved, align: 'end', cell: ({ reserved }) => signed(reserved) },
            {
              head: words.reason,
              cell: ({ reason, note }) => <Said>{[reason, note].filter(Boolean).join(': ')}</Said>,
            },
            { head: words.who, wide: true, cell: ({ actor }) => <Named of={principalOf(actor)} names={undefined} /> },
            { head: words.when, cell: ({ createdAt }) => <Moment at={createdAt} ago /> },
          ]}
        />
      )}
    </CursorList>
  );
}

const adjustReasons = ['received', 'correction', 'damaged', 'lost', 'found', 'returned', 'used', 'other'] as const;

/** A change of one level, with a draft: sent by the button alone. */
function useStockAct(path: string, of: Level, onClose: () => void, initial: Readonly<Record<string, string>> = {}) {
  const tenant = useTenant();
  const name = `${path} ${of.itemId} ${of.locationId}`;
  const { draft, bind, act, forget } = useChange(
    name,
    async (body: object) => api('commerce', path, { tenant, body }),
    onClose,
    initial,
  );
  const note = draft['note'] === undefined || draft['note'] === '' ? {} : { note: draft['note'] };
  return { draft, bind, act, note, forget };
}

function OfLevel({ of }: { readonly of: Level }): ReactNode {
  const words = useWords().commerce;
  return (
    <p>
      <Said>{nameOf(of)}</Said> · <Said>{of.location}</Said> · {words.onHand} {of.onHand}
    </p>
  );
}

/** What somebody counted on the shelf is what there is. */
function Count({ of, onClose }: { readonly of: Level; readonly onClose: () => void }): ReactNode {
  const words = useWords().commerce;
  const { draft, bind, act, note, forget } = useStockAct('/api/stock/counts', of, onClose);
  return (
    <Dialog title={words.countStock} onClose={onClose}>
      <OfLevel of={of} />
      <Form
        submit={words.countStock}
        busy={act.isPending}
        error={act.error}
        onProposed={forget}
        onCancel={onClose}
        onSubmit={() =>
          act.mutate({
            lines: [{ itemId: of.itemId, locationId: of.locationId, counted: Number(draft['counted'] ?? 'NaN') }],
            ...note,
          })
        }
      >
        <Field label={words.counted} hint={words.countedHint} {...bind('counted')} pointer="/lines/0/counted" />
        <Field label={words.note} optional {...bind('note')} />
      </Form>
    </Dialog>
  );
}

function Transfer({
  of,
  places,
  onClose,
}: {
  readonly of: Level;
  readonly places: readonly Location[];
  readonly onClose: () => void;
}): ReactNode {
  const words = useWords().commerce;
  const others = places.filter(({ id, archivedAt }) => id !== of.locationId && archivedAt === null);
  const { draft, bind, act, note, forget } = useStockAct('/api/stock/transfers', of, onClose, {
    to: others[0]?.id ?? '',
  });
  return (
    <Dialog title={words.transfer} onClose={onClose}>
      <OfLevel of={of} />
      <Form
        submit={words.transfer}
        busy={act.isPending}
        error={act.error}
        onProposed={forget}
        onCancel={onClose}
        onSubmit={() =>
          act.mutate({
            fromLocationId: of.locationId,
            toLocationId: draft['to'],
            lines: [{ itemId: of.itemId, quantity: Number(draft['quantity'] ?? 'NaN') }],
            ...note,
          })
        }
      >
        <Field
          label={words.transferTo}
          {...bind('to')}
          pointer="/toLocationId"
          options={others.map(({ id, name }) => [id, name] as const)}
        />
        <Field label={words.howMany} {...bind('quantity')} pointer="/lines/0/quantity" />
        <Field label={words.note} optional {...bind('note')} />
      </Form>
    </Dialog>
  );
}

function Adjust({ of, onClose }: { readonly of: Level; readonly onClose: () => void }): ReactNode {
  const words = useWords().commerce;
  const { draft, bind, act, note, forget } = useStockAct('/api/stock/adjustments', of, onClose, {
    reason: 'correction',
  });
  return (
    <Dialog title={words.adjust} onClose={onClose}>
      <OfLevel of={of} />
      <Form
        submit={words.adjust}
        busy={act.isPending}
        error={act.error}
        onProposed={forget}
        onCancel={onClose}
        onSubmit={() =>
          act.mutate({
            lines: [{ itemId: of.itemId, locationId: of.locationId, delta: Number(draft['delta'] ?? 'NaN') }],
            reason: draft['reason'],
            ...note,
          })
        }
      >
        <Field label={words.delta} hint={words.deltaHint} {...bind('delta')} pointer="/lines/0/delta" />
        <Field
          label={words.reason}
          {...bind('reason')}
          options={adjustReasons.map((one) => [one, words.adjustReasons[one]] as const)}
        />
        <Field label={words.note} optional {...bind('note')} />
      </Form>
    </Dialog>
  );
}
