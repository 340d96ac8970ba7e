import { id, moment, nullable, oneOf, type Of, shape, text, texts } from '@steward/contract';
import { madeBy } from '@steward/identity';
import { fail } from '@steward/kernel';
import { statement, type Statement } from '@steward/sql';
import { z } from 'zod';
import type { StudioDeps } from '../deps.ts';
import { readOrigins } from '../sites/origin.ts';
import { bySite, type Site } from '../sites/site.ts';
import { keyHash, keyModes, keyText, type KeyMode } from './text.ts';

/** Live keys of one site at most. */
export const mostKeys = 50;

/** What is kept of a publishable key, as lists show it: of `studio.sdk_key` named `k`. */
export const sdkKey = shape('k', {
  id: id('k.key_id'),
  siteId: id(),
  mode: oneOf(keyModes),
  label: text(),
  /** How the key begins, `pk_live_` or `pk_test_`. */
  prefix: text(`'pk_' || k.mode || '_'`),
  lastFour: text(),
  /** Its own list, which narrows the site's; null: the site's. */
  origins: nullable(texts()),
  /** `ending`: rotated, and good until `expiresAt`. */
  status: oneOf(
    ['active', 'ending', 'expired', 'revoked'],
    `case when k.revoked_at is not null then 'revoked' when k.expires_at is null then 'active'
      when k.expires_at <= clock_timestamp() then 'expired' else 'ending' end`,
  ),
  /** The key that this one took over from. */
  replaces: nullable(id()),
  ...madeBy('k'),
  createdAt: moment(),
  expiresAt: nullable(moment()),
  revokedAt: nullable(moment()),
  /** To about a minute. */
  lastUsedAt: nullable(moment()),
});
export type SdkKey = Of<typeof sdkKey>;

export const issuedKey = sdkKey.answer.extend({
  /** Here and never again; null for a repeat of a command after the platform's secret was changed. */
  key: z.string().nullable().meta({ description: 'The key itself, shown only in this answer. Keep it.' }),
});
export type IssuedKey = Of<{ readonly answer: typeof issuedKey }>;

export const byKey = { ...bySite, keyId: z.uuid().meta({ description: 'From service_list_sdk_keys.' }) };

/** Keys of the site `$2` of the tenant `$1`. @param rest conditions and order, with the values from `$3` on */
export const selectKeys = (rest: string, tenant: string, siteId: string, ...values: readonly unknown[]): Statement =>
  statement(
    `select ${sdkKey.columns} from studio.sdk_key k where k.tenant_id = $1::uuid and k.site_id = $2::uuid and ${rest}`,
    [tenant, siteId, ...values],
  );

/** A key opens no page that its site does not. @throws Problem `invalid_request` (400) with pointers */
export function originsAmong(site: Site, asked: readonly string[]): string[] {
  const { origins, errors } = readOrigins(asked, '/origins');
  if (errors.length > 0) throw fail('invalid_request', `The origins are not valid: ${errors[0]?.detail}`, { errors });
  const foreign = origins.filter((origin) => !site.origins.includes(origin));
  if (foreign.length === 0) return origins;
  throw fail('invalid_request', `A key takes only origins of its site: add ${foreign.join(', ')} to the site first.`, {
    errors: [
      {
        pointer: '/origins',
        code: 'origin_not_of_site',
        detail: 'The site does not have this origin: add it to the site, or leave it out.',
      },
    ],
  });
}

/** The answer of the transaction: enough to say whether the key can be derived again, and nothing to use it with. */
export interface KeptKey {
  readonly view: SdkKey;
  readonly hash: string;
}

/** A key to be stored, without the key itself. */
export function deriveKey(deps: StudioDeps, tenant: string, keyId: string, mode: KeyMode) {
  const derived = keyText(deps.secret, mode, tenant, keyId);
  return { hash: keyHash(derived), lastFour: derived.slice(-4) };
}

/** The key for its one showing. It is never in what a transaction answers, because commands keep such answers. */
export function shown(deps: StudioDeps, tenant: string, { view, hash }: KeptKey): IssuedKey {
  const derived = keyText(deps.secret, view.mode, tenant, view.id);
  return { ...view, key: keyHash(derived).toString('hex') === hash ? derived : null };
}

export const noKey = (): Error => fail('not_found', 'The site has no such key: list its keys for their ids.');
