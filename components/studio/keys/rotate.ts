import { operation } from '@steward/access';
import { sql } from '@steward/sql';
import { z } from 'zod';
import { studioFail } from '../errors.ts';
import { event } from '../events.ts';
import { contentOfKey } from '../contents.ts';
import type { StudioDeps } from '../deps.ts';
import { changes } from '../operations.ts';
import { holdSite } from '../sites/site.ts';
import { holdKey } from './hold.ts';
import { insertKey } from './insert.ts';
import { byKey, issuedKey, shown } from './key.ts';

/**
 * Issues the successor of a key, with its mode, label and origins. The old key is good for another `overlapHours`
 * (0–720, 24 where not given), so that pages can change over.
 * @throws Problem `not_found` (404), `sdk_key_ended`, `site_disabled`, `sdk_key_limit` (409)
 */
export const rotateKey = operation(
  {
    ...changes,
    name: 'service_rotate_sdk_key',
    input: z.strictObject({
      ...byKey,
      overlapHours: z
        .int()
        .min(0)
        .max(720)
        .optional()
        .meta({ default: 24, description: 'Hours until the old key ends. 0 ends it at once.' }),
    }),
    answer: issuedKey,
    errors: ['insufficient_role', 'not_found', 'site_disabled', 'sdk_key_ended', 'sdk_key_limit'],
  },
  async (scope, { siteId, keyId, overlapHours = 24 }, deps: StudioDeps) => {
    const { tenant } = scope.context;
    const kept = await scope.write(async (tx) => {
      // Site before key, as everywhere: two rotations and an issue at once wait for each other in one order.
      const site = await holdSite(tx, siteId);
      const old = await holdKey(tx, siteId, keyId);
      if (site.status !== 'active') throw studioFail('site_disabled', 'Enable the site before rotating its keys.');
      if (old.status !== 'active')
        throw studioFail(
          'sdk_key_ended',
          old.status === 'ending'
            ? 'This key was rotated before: rotate its successor, or revoke this key to end it now.'
            : 'This key has ended: issue a new one.',
        );
      const [ends] = await tx.query<{ expires_at: Date }>(sql`
        update studio.sdk_key set expires_at = clock_timestamp() + make_interval(hours => ${overlapHours}::int)
        where tenant_id = ${tenant}::uuid and key_id = ${keyId}::uuid returning expires_at`);
      if (ends === undefined) throw new Error('the key that is held is gone');
      const made = await insertKey(tx, deps, { ...old, replaces: old.id });
      tx.record(
        event('studio.sdk_key.rotated', {
          key_id: old.id,
          new_key_id: made.view.id,
          site_id: site.id,
          old_key_ends_at: ends.expires_at.toISOString(),
          content_sha256: await contentOfKey(tx, made.view.id, made.hash),
        }),
      );
      tx.afterCommit(() => deps.forget.key(old.id));
      return made;
    });
    return shown(deps, tenant, kept);
  },
);
