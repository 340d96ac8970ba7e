import { useState, type ReactNode } from 'react';
import { useApi, type Paged } from '../../data/queries.ts';
import { Badge } from '../../parts/badge.tsx';
import { Button, Buttons } from '../../parts/button.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Facts, Section } from '../../parts/page.tsx';
import { Said } from '../../parts/said.tsx';
import { useWords } from '../../words/language.ts';
import { Disconnect, ImportAgain, SetProducts, SetStock } from './channel-acts.tsx';
import { DataRequests, Look } from './channel-look.tsx';
import { importOf, type Channel, type InStep } from './channel-types.ts';
import styles from './commerce.module.css';
import type { Brand, Location } from './types.ts';

const dialogs = { stock: SetStock, products: SetProducts, import: ImportAgain, disconnect: Disconnect } as const;

/** A shop, how it does, and what can be done about it. */
export function OneChannel({
  of,
  mayChange,
  onConnect,
}: {
  readonly of: Channel;
  readonly mayChange: boolean;
  /** Once more; not where the server has no app for it. */
  readonly onConnect?: () => void;
}): ReactNode {
  const { selling } = useWords();
  const words = selling.channels;
  const [asked, setAsked] = useState<keyof typeof dialogs>();
  const brands = useApi<Paged<Brand>>('portal', '/api/brands', { query: { limit: 100 } });
  const locations = useApi<Paged<Location>>('commerce', '/api/locations', { query: { limit: 100 } });
  const connected = of.status === 'connected';
  const Asked = asked === undefined ? undefined : dialogs[asked];
  const nameOf = (list: typeof brands.data | typeof locations.data, id: string): string =>
    list?.items.find((one) => one.id === id)?.name ?? '…';
  const inShop = of.shopLocations.find(({ id }) => id === of.shopLocationId)?.name;
  // The API refuses it until these are known.
  const stockReady = of.shopLocations.length > 0;
  const consented = of.products === 'here' || of.scopes.includes('write_products');
  const productsReady = of.products === 'here' || importOf(of, 'products') === 'done';
  return (
    <Section
      title={of.name}
      actions={
        <span>
          <Badge tone={connected ? 'held' : 'plain'}>{words[of.status]}</Badge>{' '}
          {connected && !of.listening ? <Badge tone="waits">{words.deaf}</Badge> : null}
        </span>
      }
    >
      {Asked === undefined ? null : <Asked of={of} onClose={() => setAsked(undefined)} />}
      <Facts
        of={[
          [words.shop, <Said key="shop">{of.shop}</Said>],
          [words.provider, <Said key="at">{words.at[of.provider] ?? of.provider}</Said>],
          [selling.brand, <Said key="brand">{nameOf(brands.data, of.brandId)}</Said>],
          [words.location, <Said key="place">{nameOf(locations.data, of.locationId)}</Said>],
          [
            words.stock,
            <span key="stock">
              {words.side[of.stock]} {of.stock === 'none' || inShop === undefined ? null : <Said>{`(${inShop})`}</Said>}{' '}
              <Step of={of.stockState} />
            </span>,
          ],
          [
            words.products,
            <span key="products">
              {words.describes[of.products]} <Step of={of.productState} />
            </span>,
          ],
          [words.since, <Moment key="since" at={of.connectedAt} />],
        ]}
      />
      {connected && of.imports.length > 0 ? <Imports of={of.imports} /> : null}
      <Look of={of} />
      <DataRequests of={of} mayChange={mayChange} />
      {mayChange && connected && !consented ? <p className={styles['soft']}>{words.consentMissing}</p> : null}
      {mayChange && connected && !stockReady ? <p className={styles['soft']}>{words.stockWaits}</p> : null}
      {mayChange && connected && consented && !productsReady ? (
        <p className={styles['soft']}>{words.productsWait}</p>
      ) : null}
      {mayChange ? (
        <Buttons>
          {connected && stockReady ? <Button onClick={() => setAsked('stock')}>{words.setStock}</Button> : null}
          {connected && consented && productsReady ? (
            <Button onClick={() => setAsked('products')}>{words.setProducts}</Button>
          ) : null}
          {connected ? <Button onClick={() => setAsked('import')}>{words.importAgain}</Button> : null}
          {onConnect === undefined ? null : <Button onClick={onConnect}>{words.again}</Button>}
          {connected ? (
            <Button kind="danger" onClick={() => setAsked('disconnect')}>
              {words.disconnect}
            </Button>
          ) : null}
        </Buttons>
      ) : null}
    </Section>
  );
}

/** How far the side that follows is. */
function Step({ of }: { readonly of: InStep | null }): ReactNode {
  const words = useWords().selling.channels;
  if (of === null) return null;
  if (of.lastError !== null)
    return (
      <>
        <Badge tone="error">{words.toCompare(of.waiting)}</Badge> <Said>{of.lastError}</Said>
      </>
    );
  return (
    <Badge tone={of.waiting > 0 ? 'waits' : 'held'}>
      {of.waiting > 0 ? words.toCompare(of.waiting) : words.inStep}
    </Badge>
  );
}

const tones = { due: 'waits', done: 'held', failed: 'error' } as const;

function Imports({ of }: { readonly of: Channel['imports'] }): ReactNode {
  const words = useWords().selling.channels;
  return (
    <div className={styles['upload']}>
      <h3>{words.imports}</h3>
      <Facts
        of={of.map(({ kind, state, done, failed, total, lastError }) => [
          words.imported[kind],
          <span key={kind}>
            <Badge tone={tones[state]}>{words.importState[state]}</Badge>{' '}
            {kind === 'webhooks' ? null : words.progress(done, total)}
            {failed === 0 ? null : (
              <>
                {' '}
                <Badge tone="error">{words.failures(failed)}</Badge>
              </>
            )}
            {lastError === null ? null : (
              <>
                {' '}
                <Said>{lastError}</Said>
              </>
            )}
          </span>,
        ])}
      />
    </div>
  );
}
