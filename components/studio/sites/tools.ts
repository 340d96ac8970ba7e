import { counted } from '@steward/kernel';
import { tool, type Tool } from '@steward/tools';
import { z } from 'zod';
import { forTool, toCamel, toSnake } from '../cases.ts';
import type { StudioGround } from '../ground.ts';
import { asks, changes, page, withoutId } from '../tool-ground.ts';
import { createSite } from './create.ts';
import { getSite } from './get.ts';
import { listSites } from './list.ts';
import { mostOrigins } from './origin.ts';
import type { NewSite, Site, SiteChange } from './site.ts';
import { updateSite } from './update.ts';

const site = z.object({
  id: z.string(),
  brand_id: z.string(),
  name: z.string(),
  origins: z.array(z.string()),
  status: z.enum(['active', 'disabled']),
  default_country: z.string().nullable(),
  requests_per_minute: z.int().nullable(),
  version: z.int(),
  created_at: z.string(),
  updated_at: z.string(),
});

const name = z.string().min(1).max(200).meta({ description: 'What people call it, such as `Online shop`.' });
const brand = z.uuid().meta({ description: 'A brand of service_list_brands; the default one where none is given.' });
const origins = z.array(z.string().max(255)).max(mostOrigins).meta({
  description:
    'Whose pages may use the site’s keys from a browser: scheme, host and port alone, such as `["https://shop.example.com", "http://localhost:5173"]`. https, or http for localhost; no path, no wildcard. Empty: servers only.',
});
const defaultCountry = z
  .string()
  .length(2)
  .nullable()
  .meta({ description: 'ISO 3166, such as `DE`: where telephone numbers without a country code are from.' });

const requestsPerMinute = z.int().min(1).max(1_000_000).nullable().meta({
  description:
    'What each key of the site may ask in a minute, up to the operator’s ceiling; null: what all keys may, 100 by default. A page view with a form is one request, a submission another.',
});

const said = ({ name: called, status, origins: pages }: Site): string =>
  `${called} is ${status}; ${pages.length === 0 ? 'no browser may use its keys' : `pages of ${pages.join(', ')} may use its keys`}.`;

export const siteTools: readonly Tool<StudioGround>[] = [
  tool({
    ...changes,
    name: 'service_create_site',
    title: 'Create a site',
    core: true,
    description:
      'Makes a web site that forms are shown on. Next: service_issue_sdk_key for its pages, service_create_form for its forms.',
    input: z.strictObject({
      name,
      origins: origins.default([]),
      brand_id: brand.optional(),
      default_country: defaultCountry.optional(),
      requests_per_minute: requestsPerMinute.optional(),
    }),
    output: z.object({ site }),
    run: async (call, args, ground) => {
      const made = await forTool(createSite(call.context, ground, toCamel<NewSite>(args)));
      const shown = toSnake(made);
      if (call.preview) return { summary: `Would make the site ${made.name}.`, preview: { site: withoutId(shown) } };
      return { summary: said(made), data: { site: shown } };
    },
  }),
  tool({
    ...asks,
    name: 'service_list_sites',
    title: 'List sites',
    core: true,
    description: 'Lists web sites with the origins that may use their keys, disabled ones too.',
    input: z.strictObject(page),
    output: z.object({ sites: z.array(site), next_cursor: z.string().nullable() }),
    run: async (call, args) => {
      const { items, nextCursor } = await listSites(call.context, args);
      return {
        summary: `${counted(items.length, 'site')}.`,
        data: { sites: items.map(toSnake), next_cursor: nextCursor },
      };
    },
  }),
  tool({
    ...asks,
    name: 'service_get_site',
    title: 'Read a site',
    core: false,
    description: 'Reads one web site.',
    input: z.strictObject({ site_id: z.uuid() }),
    output: z.object({ site }),
    run: async (call, { site_id }) => {
      const found = await getSite(call.context, site_id);
      return { summary: said(found), data: { site: toSnake(found) } };
    },
  }),
  tool({
    ...changes,
    name: 'service_update_site',
    title: 'Change or disable a site',
    core: false,
    description:
      'Changes what is given of a site and nothing else. `status: "disabled"` refuses its keys and serves its forms no more, at once; `"active"` brings them back.',
    annotations: { destructiveHint: false, idempotentHint: true },
    input: z.strictObject({
      site_id: z.uuid(),
      name: name.optional(),
      origins: origins.optional().meta({ description: 'All of them: the list is replaced.' }),
      brand_id: brand.optional(),
      status: z.enum(['active', 'disabled']).optional(),
      default_country: defaultCountry.optional(),
      requests_per_minute: requestsPerMinute.optional(),
    }),
    output: z.object({ site }),
    run: async (call, { site_id, ...change }, ground) => {
      const changed = await forTool(updateSite(call.context, ground, site_id, toCamel<SiteChange>(change)));
      return {
        summary: call.preview ? `Would change the site: ${said(changed)}` : said(changed),
        data: { site: toSnake(changed) },
      };
    },
  }),
];
