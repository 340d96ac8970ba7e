import { validator } from '@steward/contract';
import { fail } from '@steward/kernel';
import type { Row } from '@steward/sql';
import { z } from 'zod';
import type { StudioGround } from '../ground.ts';
import { mostOrigins, readOrigins } from '../sites/origin.ts';
import type { Site } from '../sites/site.ts';
import { line } from '../text.ts';
import { keyHash, keyModes, keyText, type KeyMode } from './text.ts';

/** Live keys of one site at most. */
export const mostKeys = 50;

/** What is kept of a publishable key, as lists show it. */
export interface SdkKey {
  readonly id: string;
  readonly siteId: string;
  readonly mode: KeyMode;
  readonly label: string;
  /** How the key begins, `pk_live_` or `pk_test_`. */
  readonly prefix: string;
  readonly lastFour: string;
  /** Its own list, which narrows the site's; null: the site's. */
  readonly origins: readonly string[] | null;
  /** `ending`: rotated, and good until `expiresAt`. */
  readonly status: 'active' | 'ending' | 'expired' | 'revoked';
  /** The key that this one took over from. */
  readonly replaces: string | null;
  readonly createdAt: string;
  readonly expiresAt: string | null;
  readonly revokedAt: string | null;
  /** To about a minute. */
  readonly lastUsedAt: string | null;
}

export interface IssuedKey extends SdkKey {
  /** The key itself, here and never again; null for a repeat of a command after the platform's secret was changed. */
  readonly key: string | null;
}

const time = (value: unknown): string | null => (value instanceof Date ? value.toISOString() : null);

export function presentKey(row: Row): SdkKey {
  const expiresAt = row['expires_at'] as Date | null;
  const revoked = row['revoked_at'] !== null;
  const mode = row['mode'] as KeyMode;
  return {
    id: String(row['key_id']),
    siteId: String(row['site_id']),
    mode,
    label: String(row['label']),
    prefix: `pk_${mode}_`,
    lastFour: String(row['last_four']),
    origins: row['origins'] as string[] | null,
    status: revoked ? 'revoked' : expiresAt === null ? 'active' : row['ended'] === true ? 'expired' : 'ending',
    replaces: row['replaces'] as string | null,
    createdAt: (row['created_at'] as Date).toISOString(),
    expiresAt: time(expiresAt),
    revokedAt: time(row['revoked_at']),
    lastUsedAt: time(row['last_used_at']),
  };
}

export const newKey = z.strictObject({
  mode: z.enum(keyModes).default('live'),
  label: line(200).default('Storefront'),
  origins: z.array(z.string()).max(mostOrigins).nullable().optional(),
});
export type NewKey = z.input<typeof newKey>;

const checkNew = validator(newKey, 'body');

/** @throws Problem `invalid_request` (400) with pointers */
export function readNewKey(input: NewKey) {
  const key = checkNew(input);
  if (key.origins === undefined || key.origins === null) return { ...key, origins: null };
  const { origins, errors } = readOrigins(key.origins, '/origins');
  if (errors.length > 0) throw fail('invalid_request', `The origins are not valid: ${errors[0]?.detail}`, { errors });
  return { ...key, origins };
}

/** @throws Problem `invalid_request` (400): a key opens no page that its site does not */
export function requireOriginsOf(site: Site, origins: readonly string[] | null): void {
  const foreign = (origins ?? []).filter((origin) => !site.origins.includes(origin));
  if (foreign.length === 0) return;
  throw fail('invalid_request', `A key's origins are among its site's: add ${foreign.join(', ')} to the site first.`, {
    errors: [{ pointer: '/origins', code: 'origin_not_of_site', detail: 'The site does not list this origin.' }],
  });
}

/** What a transaction answers: enough to tell whether the key can be derived once more, and nothing to use it with. */
export interface KeptKey {
  readonly view: SdkKey;
  readonly hash: string;
}

/** A key to be stored, without the key itself. */
export function deriveKey(ground: StudioGround, tenant: string, keyId: string, mode: KeyMode) {
  const text = keyText(ground.secret, mode, tenant, keyId);
  return { hash: keyHash(text), lastFour: text.slice(-4) };
}

/** The key for its one showing. It is never in what a transaction answers, because commands keep such answers. */
export function shown(ground: StudioGround, tenant: string, { view, hash }: KeptKey): IssuedKey {
  const text = keyText(ground.secret, view.mode, tenant, view.id);
  return { ...view, key: keyHash(text).toString('hex') === hash ? text : null };
}

export const noKey = (): Error => fail('not_found', 'There is no such key of this site.');
