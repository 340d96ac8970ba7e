import { isId } from '@steward/kernel';
import type { TenantContext } from '@steward/sql';
import { destroyKeys } from '@steward/audit';
import type { ArchiveTarget } from '../targets/target.ts';
import { archivedEvents } from './archived-events.ts';

/**
 * After a restored backup: erases again what the archive says was erased, because a backup brings destroyed keys back.
 * @param since the first day that is read, `YYYY-MM-DD`
 * @returns how many keys had come back
 * @throws Problem `legal_hold` (409)
 */
export async function repeatErasures(context: TenantContext, target: ArchiveTarget, since: string): Promise<number> {
  let destroyed = 0;
  for await (const { payload } of archivedEvents(target, context.tenant, 'audit.subject.erased', since)) {
    const ids = payload['key_ids'];
    const keyIds = Array.isArray(ids) ? ids.filter(isId) : [];
    if (keyIds.length === 0) continue;
    const reason = 'repeated from the archive after a restored backup';
    destroyed += (await destroyKeys(context, { keyIds, reason })).keyIds.length;
  }
  return destroyed;
}
