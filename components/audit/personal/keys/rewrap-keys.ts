import { permit } from '@steward/access';
import { sql, type TenantContext } from '@steward/sql';
import { destroyKeys } from '../erasure/destroy-keys.ts';
import type { MasterKeys } from './master-key.ts';
import { unwrap, wrap, type WrappedKey } from './subject-key.ts';

const rewrapKeys = permit('audit.rewrap', ['platform']);
const page = 500;

/**
 * Wraps a tenant's keys with the first master key, so that older master keys can be put away. Values stay as they are.
 * @returns how many keys were under another one
 * @throws Problem `master_key_missing` (503)
 */
export async function rewrap(context: TenantContext, masters: MasterKeys): Promise<number> {
  const [first] = masters;
  for (let total = 0, after = '00000000-0000-0000-0000-000000000000'; ;) {
    const last = await context.require(rewrapKeys).write(async (tx) => {
      const rows = await tx.query<WrappedKey>(sql`
        select key_id, master, wrapped from audit.subject_key
        where tenant_id = ${context.tenant} and key_id > ${after} and master <> ${first.id} order by key_id limit ${page}`);
      for (const row of rows) {
        const key = unwrap(masters, context.tenant, row);
        if (key === undefined) continue;
        const wrapped = wrap(first, context.tenant, key);
        await tx.query(sql`select audit.rewrap_subject_key(${key.keyId}, ${row.wrapped}, ${first.id}, ${wrapped})`);
      }
      total += rows.length;
      return rows.at(-1)?.key_id;
    });
    if (last === undefined) return total;
    after = last;
  }
}

/**
 * Gives up what only a lost master key opens: erases its keys, with the event that records it; their subjects get new keys later.
 * @param master its id, as a refused start names it
 * @returns how many keys
 * @throws RangeError where this master key is at hand, so not lost
 * @throws Problem `legal_hold` (409)
 */
export async function giveUpMaster(context: TenantContext, masters: MasterKeys, master: string): Promise<number> {
  if (masters.some(({ id }) => id === master))
    throw new RangeError(`The master key ${master} is here: nothing is lost.`);
  for (let total = 0; ;) {
    const rows = await context.require(rewrapKeys).read<{ key_id: string }>(sql`
      select key_id from audit.subject_key where tenant_id = ${context.tenant} and master = ${master} limit ${page}`);
    if (rows.length === 0) return total;
    const keyIds = rows.map(({ key_id }) => key_id);
    await destroyKeys(context, { keyIds, reason: `the master key ${master} is lost` });
    total += rows.length;
  }
}
