import type { Envelope } from '@steward/audit';
import { readManifest } from '../format/manifest.ts';
import type { ArchiveTarget } from '../targets/target.ts';
import { oldest, readOldest } from '../sealing/days/archived-day.ts';

/**
 * The events of a type that the archive holds of a tenant, as they come. An archive that was verified before is to be believed.
 * @param since the first day that is read, `YYYY-MM-DD`
 */
export async function* archivedEvents(
  target: ArchiveTarget,
  tenant: string,
  type: string,
  since: string,
): AsyncGenerator<Envelope> {
  const marker = `"type":${JSON.stringify(type)}`;
  for await (const path of target.list(`${tenant}/`)) {
    if (!path.endsWith('.jsonl') || dayOfPath(path) < since) continue;
    const manifest = await readOldest(target, path.replace(/\.jsonl$/, '.manifest.json'));
    if (manifest === undefined) continue;
    const { bytes } = readManifest(manifest.bytes);
    const chunks = await target.read(path, bytes, (await oldest(target, path))?.version);
    if (chunks === undefined) continue;
    for await (const line of linesOf(chunks)) {
      if (!line.includes(marker)) continue;
      const { event } = JSON.parse(line.toString()) as { readonly event: Envelope };
      // A payload may contain the marker too: only the event's own type counts.
      if (event.type === type && event.tenantId === tenant) yield event;
    }
  }
}

const dayOfPath = (path: string): string =>
  path.slice(-'yyyy/mm/dd.jsonl'.length, -'.jsonl'.length).replaceAll('/', '-');

const longestLine = 16 << 20;

/** Split at LF only. */
async function* linesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let rest: Buffer[] = [];
  let waiting = 0;
  for await (const chunk of chunks) {
    let from = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
      yield Buffer.concat([...rest, chunk.subarray(from, end)]);
      rest = [];
      from = end + 1;
    }
    if (from < chunk.length) rest.push(chunk.subarray(from));
    waiting = chunk.length - from + (from === 0 ? waiting : 0);
    if (waiting > longestLine) throw new Error('An archived row does not end: run `steward audit verify`.');
  }
}
