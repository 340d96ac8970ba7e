import type { TenantContext } from '@steward/sql';
import { studioFail } from '../errors.ts';
import { event } from '../events.ts';
import type { StudioGround } from '../ground.ts';
import { manageStudio } from '../permissions.ts';
import { holdSite } from '../sites/site.ts';
import { insertKey } from './insert.ts';
import { readNewKey, requireOriginsOf, shown, type IssuedKey, type NewKey } from './key.ts';

/**
 * Issues a publishable key of a site. The answer is the only place where the key itself ever stands.
 * @throws Problem `not_found` (404), `invalid_request` (400), `site_disabled`, `sdk_key_limit` (409)
 */
export async function issueKey(
  context: TenantContext,
  ground: StudioGround,
  siteId: string,
  input: NewKey,
): Promise<IssuedKey> {
  const key = readNewKey(input);
  const kept = await context.require(manageStudio).write(async (tx) => {
    const site = await holdSite(tx, siteId);
    if (site.status !== 'active') throw studioFail('site_disabled', 'Enable the site before issuing keys for it.');
    requireOriginsOf(site, key.origins);
    const made = await insertKey(tx, ground, { ...key, siteId: site.id, replaces: null });
    tx.record(event('studio.sdk_key.issued', { key_id: made.view.id, site_id: site.id, mode: key.mode }));
    return made;
  });
  return shown(ground, context.tenant, kept);
}
