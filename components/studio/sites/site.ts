import { validator } from '@steward/contract';
import { fail } from '@steward/kernel';
import { sql, type Row, type TenantTransaction } from '@steward/sql';
import { z } from 'zod';
import { line } from '../text.ts';
import { country } from './country.ts';
import { mostOrigins, readOrigins } from './origin.ts';

/** A web site of the tenant's that forms are shown on. */
export interface Site {
  readonly id: string;
  readonly brandId: string;
  readonly name: string;
  /** Whose pages may use the site's keys from a browser; none: no browser may. */
  readonly origins: readonly string[];
  /** Keys of a disabled site are refused. */
  readonly status: 'active' | 'disabled';
  /** ISO 3166: where national telephone numbers are from. */
  readonly defaultCountry: string | null;
  /** What each key of the site may ask in a minute; null: what all keys may. */
  readonly requestsPerMinute: number | null;
  /** Counts changes. */
  readonly version: number;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export const presentSite = (row: Row): Site => ({
  id: String(row['site_id']),
  brandId: String(row['brand_id']),
  name: String(row['name']),
  origins: row['origins'] as string[],
  status: row['status'] as Site['status'],
  defaultCountry: row['default_country'] as string | null,
  requestsPerMinute: row['requests_per_minute'] as number | null,
  version: Number(row['version']),
  createdAt: (row['created_at'] as Date).toISOString(),
  updatedAt: (row['updated_at'] as Date).toISOString(),
});

const requestsPerMinute = z.int().min(1).max(1_000_000);

export const newSite = z.strictObject({
  name: line(200),
  brandId: z.uuid().optional(),
  origins: z.array(z.string()).max(mostOrigins).default([]),
  defaultCountry: country.nullable().optional(),
  requestsPerMinute: requestsPerMinute.nullable().optional(),
});
export type NewSite = z.input<typeof newSite>;

export const siteChange = z
  .strictObject({
    name: line(200),
    brandId: z.uuid(),
    origins: z.array(z.string()).max(mostOrigins),
    status: z.enum(['active', 'disabled']),
    defaultCountry: country.nullable(),
    requestsPerMinute: requestsPerMinute.nullable(),
  })
  .partial();
export type SiteChange = z.input<typeof siteChange>;

const checkNew = validator(newSite, 'body');
const checkChange = validator(siteChange, 'body');

/** @throws Problem `invalid_request` (400) with pointers */
export const readNewSite = (input: NewSite) => normal(checkNew(input));

/** @throws Problem `invalid_request` (400) with pointers, also for a change of nothing */
export function readSiteChange(input: SiteChange) {
  const change = normal(checkChange(input));
  if (Object.values(change).every((value) => value === undefined))
    throw fail(
      'invalid_request',
      'Say what to change: name, brand, origins, status, default country or requests per minute.',
    );
  return change;
}

function normal<T extends { origins?: string[] | undefined }>(site: T): T {
  if (site.origins === undefined) return site;
  const { origins, errors } = readOrigins(site.origins, '/origins');
  if (errors.length > 0)
    throw fail('invalid_request', `The origins are not valid: ${errors[0]?.detail ?? ''}`, {
      errors: errors.slice(0, 20),
    });
  return { ...site, origins };
}

/** The site, held until the end of the transaction. @throws Problem `not_found` (404) */
export async function holdSite(tx: TenantTransaction, siteId: string): Promise<Site> {
  const [row] = await tx.query(sql`
    select site_id, brand_id, name, origins, status, default_country, requests_per_minute, version, created_at, updated_at from studio.site
    where tenant_id = ${tx.context.tenant}::uuid and site_id = ${siteId}::uuid for no key update`);
  if (row === undefined) throw noSite();
  return presentSite(row);
}

export const noSite = (): Error => fail('not_found', 'There is no such site in this tenant.');

/** @throws Problem `invalid_request` (400) */
export const noBrand = (): Error =>
  fail('invalid_request', 'There is no such brand in use: list the brands and name one of them.', {
    errors: [{ pointer: '/brandId', code: 'unknown_brand', detail: 'There is no such brand in use.' }],
  });

/** @throws Problem `invalid_request` (400): more than the operator lets a site have */
export function requireCeiling(asked: number | null | undefined, most: number): void {
  if ((asked ?? 0) <= most) return;
  const detail = `At most ${most}: the operator sets it with STOREFRONT_SITE_PER_KEY_PER_MINUTE.`;
  throw fail('invalid_request', `A site may not have its keys ask that often. ${detail}`, {
    errors: [{ pointer: '/requestsPerMinute', code: 'too_big', detail }],
  });
}
