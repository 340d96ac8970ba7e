import { count, id, line, moment, nullable, oneOf, type Of, shape, text, texts } from '@steward/contract';
import { fail } from '@steward/kernel';
import { statement, type Statement, type TenantTransaction } from '@steward/sql';
import { z } from 'zod';
import { country } from './country.ts';
import { longestOrigin, mostOrigins, readOrigins } from './origin.ts';

const statuses = ['active', 'disabled'] as const;

/** A web site of the tenant's that forms are shown on: of `studio.site` named `s`. */
export const site = shape('s', {
  id: id('s.site_id'),
  brandId: id(),
  name: text(),
  /** Whose pages may use the site's keys from a browser; none: no browser may. */
  origins: texts(),
  /** Keys of a disabled site are refused. */
  status: oneOf(statuses),
  /** ISO 3166: where national telephone numbers are from. */
  defaultCountry: nullable(text()),
  /** What each key of the site may ask in a minute; null: what all keys may. */
  requestsPerMinute: nullable(count()),
  /** Counts changes. */
  version: count(),
  createdAt: moment(),
  updatedAt: moment(),
});
export type Site = Of<typeof site>;

export const bySite = { siteId: z.uuid().meta({ description: 'From service_list_sites.' }) };

/** What is given of a site. */
export const given = {
  name: line(200).meta({ description: 'Name that people use, such as `Online shop`.' }),
  origins: z.array(z.string().max(longestOrigin)).max(mostOrigins),
  brandId: z.uuid().optional().meta({ description: 'From service_list_brands. Default: the default brand.' }),
  status: z.enum(statuses).optional().meta({ description: 'disabled refuses keys and hides forms.' }),
  defaultCountry: country
    .nullable()
    .optional()
    .meta({ description: 'Country of phone numbers without a country code, ISO 3166, such as `DE`.' }),
  requestsPerMinute: z
    .int()
    .min(1)
    .max(1_000_000)
    .nullable()
    .optional()
    .meta({
      description:
        'Requests that each key of the site may send in a minute, up to the operator’s limit. null: the server’s default, ' +
        '100. Showing a form is one request, submitting it another.',
    }),
};

/** Sites of the tenant `$1`. @param rest conditions and order, with the values from `$2` on */
export const selectSites = (rest: string, tenant: string, ...values: readonly unknown[]): Statement =>
  statement(`select ${site.columns} from studio.site s where s.tenant_id = $1::uuid and ${rest}`, [tenant, ...values]);

/** Each origin once, as browsers send it. @throws Problem `invalid_request` (400) with pointers */
export function originsOf(asked: readonly string[]): string[] {
  const { origins, errors } = readOrigins(asked, '/origins');
  if (errors.length > 0)
    throw fail('invalid_request', `The origins are not valid: ${errors[0]?.detail ?? ''}`, {
      errors: errors.slice(0, 20),
    });
  return origins;
}

/** The site, held until the end of the transaction. @throws Problem `not_found` (404) */
export async function holdSite(tx: TenantTransaction, siteId: string): Promise<Site> {
  const [row] = await tx.query(selectSites('s.site_id = $2::uuid for no key update', tx.context.tenant, siteId));
  if (row === undefined) throw noSite();
  return site.read(row);
}

export const noSite = (): Error =>
  fail('not_found', 'There is no such site in this tenant: list the sites for their ids.');

/** @throws Problem `invalid_request` (400) */
export const noBrand = (): Error =>
  fail('invalid_request', 'There is no such brand in use: list the brands and name one of them.', {
    errors: [{ pointer: '/brandId', code: 'unknown_brand', detail: 'There is no such brand in use.' }],
  });

/** @throws Problem `invalid_request` (400): more than the operator lets a site have */
export function requireCeiling(asked: number | null | undefined, most: number): void {
  if ((asked ?? 0) <= most) return;
  const detail = `Give at most ${most}, or ask the operator to raise STOREFRONT_SITE_PER_KEY_PER_MINUTE.`;
  throw fail('invalid_request', `The limit is too high for a site. ${detail}`, {
    errors: [{ pointer: '/requestsPerMinute', code: 'too_big', detail }],
  });
}
