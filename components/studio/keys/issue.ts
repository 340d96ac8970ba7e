import { operation } from '@steward/access';
import { line } from '@steward/contract';
import { z } from 'zod';
import { studioFail } from '../errors.ts';
import { event } from '../events.ts';
import { contentOfKey } from '../contents.ts';
import type { StudioDeps } from '../deps.ts';
import { changes } from '../operations.ts';
import { longestOrigin, mostOrigins } from '../sites/origin.ts';
import { holdSite } from '../sites/site.ts';
import { insertKey } from './insert.ts';
import { bySite } from '../sites/site.ts';
import { issuedKey, originsAmong, shown } from './key.ts';
import { keyModes } from './text.ts';

/**
 * Issues a publishable key of a site. The key itself is in this answer and nowhere else.
 * @throws Problem `not_found` (404), `invalid_request` (400), `site_disabled`, `sdk_key_limit` (409)
 */
export const issueKey = operation(
  {
    ...changes,
    name: 'service_issue_sdk_key',
    input: z.strictObject({
      ...bySite,
      mode: z
        .enum(keyModes)
        .optional()
        .meta({ default: 'live', description: 'Submissions with a test key are marked as tests.' }),
      label: line(200)
        .optional()
        .meta({ default: 'Storefront', description: 'Where the key is used, such as `Online shop`.' }),
      origins: z.array(z.string().max(longestOrigin)).max(mostOrigins).nullable().optional().meta({
        description: 'Origins of the site whose pages may use the key. Default: all of them; `[]`: servers only.',
      }),
    }),
    answer: issuedKey,
    errors: ['insufficient_role', 'not_found', 'site_disabled', 'sdk_key_limit'],
  },
  async (scope, { siteId, mode = 'live', label = 'Storefront', origins = null }, deps: StudioDeps) => {
    const kept = await scope.write(async (tx) => {
      const site = await holdSite(tx, siteId);
      if (site.status !== 'active') throw studioFail('site_disabled', 'Enable the site before issuing keys for it.');
      const pages = origins === null ? null : originsAmong(site, origins);
      const made = await insertKey(tx, deps, { siteId: site.id, mode, label, origins: pages, replaces: null });
      const content_sha256 = await contentOfKey(tx, made.view.id, made.hash);
      tx.record(event('studio.sdk_key.issued', { key_id: made.view.id, site_id: site.id, mode, content_sha256 }));
      return made;
    });
    return shown(deps, scope.context.tenant, kept);
  },
);
