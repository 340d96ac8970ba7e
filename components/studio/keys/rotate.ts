import { fail } from '@steward/kernel';
import { sql, type TenantContext } from '@steward/sql';
import { studioFail } from '../errors.ts';
import { event } from '../events.ts';
import type { StudioGround } from '../ground.ts';
import { manageStudio } from '../permissions.ts';
import { holdSite } from '../sites/site.ts';
import { holdKey } from './hold.ts';
import { insertKey } from './insert.ts';
import { shown, type IssuedKey } from './key.ts';

export const longestOverlap = 720;

/**
 * Issues the successor of a key, with its mode, label and origins. The old key is good for another `overlapHours`
 * (0–720, 24 where not given), so that pages can change over.
 * @throws Problem `not_found` (404), `invalid_request` (400), `sdk_key_ended`, `site_disabled`, `sdk_key_limit` (409)
 */
export async function rotateKey(
  context: TenantContext,
  ground: StudioGround,
  siteId: string,
  keyId: string,
  overlapHours = 24,
): Promise<IssuedKey> {
  if (!Number.isInteger(overlapHours) || overlapHours < 0 || overlapHours > longestOverlap)
    throw fail('invalid_request', 'The overlap is a whole number of hours from 0 to 720.', {
      errors: [{ pointer: '/overlapHours', code: 'out_of_range', detail: 'From 0 to 720 hours.' }],
    });
  const kept = await context.require(manageStudio).write(async (tx) => {
    // Site before key, as everywhere: two rotations and an issue at once wait for each other in one order.
    const site = await holdSite(tx, siteId);
    const old = await holdKey(tx, siteId, keyId);
    if (site.status !== 'active') throw studioFail('site_disabled', 'Enable the site before rotating its keys.');
    if (old.status !== 'active')
      throw studioFail(
        'sdk_key_ended',
        old.status === 'ending'
          ? 'This key was rotated already: rotate its successor, or revoke it to end it now.'
          : 'This key has ended: issue a new one.',
      );
    const [ends] = await tx.query<{ expires_at: Date }>(sql`
      update studio.sdk_key set expires_at = clock_timestamp() + make_interval(hours => ${overlapHours}::int)
      where tenant_id = ${context.tenant}::uuid and key_id = ${keyId}::uuid returning expires_at`);
    if (ends === undefined) throw new Error('the key that is held is gone');
    const made = await insertKey(tx, ground, { ...old, replaces: old.id });
    tx.record(
      event('studio.sdk_key.rotated', {
        key_id: old.id,
        new_key_id: made.view.id,
        site_id: site.id,
        old_key_ends_at: ends.expires_at.toISOString(),
      }),
    );
    tx.afterCommit(() => ground.forget.key(old.id));
    return made;
  });
  return shown(ground, context.tenant, kept);
}
