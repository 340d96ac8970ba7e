import { isId, readConfig } from '@steward/kernel';
import * as portal from '@steward/portal';
import { UsageError } from '../command.ts';
import type { CommandEnvironment } from '../instance.ts';
import { withInstance } from '../with-instance.ts';

interface Given extends Readonly<Record<'name' | 'limit' | 'after', string | undefined>> {
  readonly json: boolean;
}

/** `tenant list`: which tenants there are, for commands that take one; from the oldest to the newest. */
export async function listCommand(
  { name, limit = '50', after, json }: Given,
  env: CommandEnvironment,
): Promise<number> {
  const most = /^\d{1,4}$/.test(limit) ? Number(limit) : 0;
  if (most < 1 || most > 1000) throw new UsageError('--limit is a whole number from 1 to 1000.');
  if (after !== undefined && !isId(after))
    throw new UsageError('--after is the id of the tenant that was listed last.');
  if (name !== undefined && (name === '' || name.length > 200))
    throw new UsageError('--name is a part of the name, of 1 to 200 characters.');
  const { plans } = readConfig(env, [portal]);
  return withInstance(env, async ({ ownerUrl }) => {
    const { items, more } = await portal.listTenants(ownerUrl(), { limit: most, after, name }, plans);
    const next = more ? (items.at(-1)?.id ?? null) : null;
    if (json) {
      console.log(JSON.stringify({ items, next }, null, 2));
      return 0;
    }
    if (items.length === 0) console.log(after === undefined ? 'No tenant.' : 'No further tenant.');
    for (const { id, createdAt, tier, status, name: called } of items)
      console.log(`${id}  ${createdAt.toISOString().slice(0, 10)}  ${`${tier} (${status})`.padEnd(24)}  ${called}`);
    if (next !== null) console.log(`There are more: --after ${next}`);
    return 0;
  });
}
