import { shopMeant } from '@steward/marketplace/shop';
import { useEffect, useState, type ReactNode } from 'react';
import { api } from '../../data/api.ts';
import { useDraft } from '../../data/draft.ts';
import { useOrganization, useTenant } from '../../data/organization.ts';
import { Problem } from '../../data/problem.ts';
import { useApi, type Paged } from '../../data/queries.ts';
import { useAct } from '../../data/step-up.ts';
import { Button, ButtonLink } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Field, Form } from '../../parts/form.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { useWords } from '../../words/language.ts';
import type { Channel } from './channel-types.ts';
import type { Brand, Location } from './types.ts';

/** What the marketplace granted: by the code the shop is connected, once. */
interface Granted {
  readonly shop: string;
  readonly code: string;
  /** The organization whose page was led back to. */
  readonly tenant: string;
  /** Somebody left for that shop from this tab; else an address said so, which anybody may have written. */
  readonly isOwn: boolean;
}

const begun = 'shop asked';

/** How a shop is asked for the app: there, and back to this page with what was granted. Or the code of an installation that ended elsewhere. */
export function Connect({
  install,
  shop,
  onClose,
}: {
  readonly install: string;
  readonly shop: string;
  readonly onClose: () => void;
}): ReactNode {
  const words = useWords().selling.channels;
  const tenant = useTenant();
  const [error, setError] = useState<Problem | null>(null);
  const [hasCode, setHasCode] = useState(false);
  if (hasCode) return <ConnectGranted onClose={onClose} />;
  const leave = (typed: string): void => {
    const meant = shopMeant(typed);
    if (meant !== undefined) {
      sessionStorage.setItem(begun, `${tenant} ${meant}`);
      location.assign(`${install}?${new URLSearchParams({ shop: meant, tenant }).toString()}`);
      return;
    }
    const errors = [{ pointer: '/shop', code: 'pattern', detail: words.noSuchShop }];
    setError(new Problem('invalid_request', 400, words.noSuchShop, words.noSuchShop, { errors }));
  };
  return (
    <Dialog title={words.connect} onClose={onClose}>
      <p>{words.connectLead}</p>
      <Form submit={words.toShopify} error={error} onCancel={onClose} onSubmit={({ shop: typed = '' }) => leave(typed)}>
        <Field label={words.shop} name="shop" value={shop} hint={words.shopHint} />
      </Form>
      <div>
        <Button onClick={() => setHasCode(true)}>{words.haveCode}</Button>
      </div>
    </Dialog>
  );
}

/** What this page was led back to with, until it is connected or given up: behind the `#`, and in this tab through a login. */
export function useGranted(): readonly [Granted | undefined, () => void] {
  const tenant = useTenant();
  const [granted, setGranted, forget] = useDraft<Granted | null>('shop granted', null);
  useEffect(() => {
    const { shop, code } = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
    if (shop === undefined || code === undefined || shopMeant(shop) !== shop) return;
    setGranted({ shop, code, tenant, isOwn: sessionStorage.getItem(begun) === `${tenant} ${shop}` });
    sessionStorage.removeItem(begun);
    history.replaceState(history.state, '', location.pathname + location.search);
    // Once, as the page is opened.
  }, []);
  return [granted?.tenant === tenant ? granted : undefined, forget];
}

/** Connects what was granted, as a member who read the name of the shop. */
export function ConnectGranted({
  shop,
  code,
  isOwn = true,
  before,
  onClose,
}: Partial<Omit<Granted, 'tenant'>> & {
  /** The channel that it is again. */
  readonly before?: Channel | undefined;
  readonly onClose: () => void;
}): ReactNode {
  const { selling, commerce } = useWords();
  const words = selling.channels;
  const tenant = useTenant();
  const { name: organization } = useOrganization();
  const brands = useApi<Paged<Brand>>('portal', '/api/brands', { query: { limit: 100 } });
  const locations = useApi<Paged<Location>>('commerce', '/api/locations', { query: { limit: 100 } });
  const act = useAct(async (body: object) => api<Channel>('commerce', '/api/channels', { tenant, body }), {
    onDone: onClose,
  });
  const title = shop === undefined ? words.connect : words.confirm(shop);
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{shop === undefined ? words.connectLead : words.confirmLead(organization)}</p>
      {isOwn ? null : (
        <p>
          <strong>{words.notBegunHere}</strong>
        </p>
      )}
      <Loaded query={locations}>
        {({ items }) => {
          const places = items.filter(({ archivedAt }) => archivedAt === null);
          const [only] = places;
          if (only === undefined)
            return (
              <>
                <p>{words.noLocation}</p>
                <div>
                  <ButtonLink kind="first" to="/commerce/stock?show=locations">
                    {commerce.addLocation}
                  </ButtonLink>
                </div>
              </>
            );
          return (
            <Form
              submit={words.connectIt}
              busy={act.isPending}
              error={act.error}
              onCancel={onClose}
              onProposed={onClose}
              onSubmit={(typed) =>
                act.mutate({
                  ...(shop === undefined ? {} : { shop }),
                  ...(code === undefined ? {} : { code }),
                  ...typed,
                })
              }
            >
              {code === undefined ? <Field label={words.code} name="code" hint={words.codeHint} /> : null}
              <Field label={words.called} name="name" optional value={before?.name} hint={words.calledHint} />
              {(brands.data?.items.length ?? 0) > 1 ? (
                <Field
                  label={selling.brand}
                  name="brandId"
                  value={before?.brandId ?? brands.data?.items.find(({ isDefault }) => isDefault)?.id}
                  options={(brands.data?.items ?? []).map(({ id, name }) => [id, name] as const)}
                />
              ) : null}
              {places.length > 1 ? (
                <Field
                  label={words.location}
                  name="locationId"
                  value={before?.locationId ?? only.id}
                  options={places.map(({ id, name }) => [id, name] as const)}
                />
              ) : null}
            </Form>
          );
        }}
      </Loaded>
    </Dialog>
  );
}
