import { isId } from '@steward/kernel';
import type { TenantContext } from '@steward/sql';
import type { ArchiveTarget } from '../archive/target.ts';
import type { Envelope } from '../envelope/envelope.ts';
import { oldest } from '../sealing/archived.ts';
import { destroyKeys } from './erase.ts';

const marker = '"type":"audit.subject.erased"';

/**
 * After a restored backup: erases again what the archive says was erased, for a backup brings destroyed keys back. Reads
 * the tenant's archived rows as they come; an archive that was verified before is to be believed.
 * @param since the first day that is read, `YYYY-MM-DD`
 * @returns how many keys had come back
 * @throws Problem `legal_hold` (409)
 */
export async function repeatErasures(context: TenantContext, target: ArchiveTarget, since: string): Promise<number> {
  let destroyed = 0;
  for await (const path of target.list(`${context.tenant}/`)) {
    if (!path.endsWith('.jsonl') || dayOfPath(path) < since) continue;
    const first = await oldest(target, path);
    const chunks = first === undefined ? undefined : await target.read(path, first.version);
    if (chunks === undefined) continue;
    for await (const line of linesOf(chunks)) {
      const keyIds = line.includes(marker) ? erasedKeys(line, context.tenant) : [];
      if (keyIds.length === 0) continue;
      const reason = 'repeated from the archive after a restored backup';
      destroyed += (await destroyKeys(context, { keyIds, reason })).keyIds.length;
    }
  }
  return destroyed;
}

const dayOfPath = (path: string): string =>
  path.slice(-'yyyy/mm/dd.jsonl'.length, -'.jsonl'.length).replaceAll('/', '-');

/** The marker may stand in some payload too: only the event's own type counts. */
function erasedKeys(line: Buffer, tenant: string): readonly string[] {
  const { event } = JSON.parse(line.toString()) as { readonly event: Envelope };
  const ids = event.type === 'audit.subject.erased' && event.tenantId === tenant ? event.payload['key_ids'] : undefined;
  return Array.isArray(ids) ? ids.filter(isId) : [];
}

/** Split at LF only. */
async function* linesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let rest: Buffer[] = [];
  for await (const chunk of chunks) {
    let from = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
      yield Buffer.concat([...rest, chunk.subarray(from, end)]);
      rest = [];
      from = end + 1;
    }
    if (from < chunk.length) rest.push(chunk.subarray(from));
  }
}
