import { createHash } from 'node:crypto';
import { heavily } from '@steward/access';
import { fail } from '@steward/kernel';
import { sql, type TenantContext } from '@steward/sql';
import { event } from '../grammars/own.ts';
import { genesis } from '../chain/genesis.ts';
import { spell } from '../envelope/faults.ts';
import type { Filter } from '../events/filter.ts';
import { exportEvents } from '../policy.ts';
import type { Envelope } from '../envelope/envelope.ts';
import type { NamesOf } from '../events/names.ts';
import type { RequireAnswerable } from '../events/require-answerable.ts';
import { principalsOf } from '../events/present.ts';
import type { EventRow } from '../events/row.ts';
import { csvHeader, csvLine } from './csv.ts';
import { exportLine } from './line.ts';
import { pages } from './pages.ts';

export const formats = ['jsonl', 'csv'] as const;
export type ExportFormat = (typeof formats)[number];

export interface Export {
  /** A name for the file. */
  readonly name: string;
  /** The head when the export began: nothing later is in it. */
  readonly through: number;
  /** The file, read page by page; to be read once. */
  readonly body: AsyncIterable<Buffer>;
}

export type Exporting = (context: TenantContext, format: ExportFormat, filter: Filter) => Promise<Export>;

/**
 * The tenant's events that pass a filter, in the order of the sequence, up to the present end of the chain. The start
 * is recorded before this answers, so the log also shows a download that broke off; the end, with count and digest, after
 * the last byte was handed over. Personal values stay sealed in every format. CSV names people; JSON Lines are evidence, and contain nothing
 * that no hash covers.
 * @throws Problem `tenant_forbidden`, `insufficient_role` (403), `invalid_request` (400) for filters that no event can pass
 */
export const exporter =
  (namesOf: NamesOf, requireAnswerable: RequireAnswerable): Exporting =>
  async (context, format, filter) => {
    const { tenant } = context;
    const scope = context.require(heavily(exportEvents));
    requireAnswerable(filter, 'snake');
    const begun = await scope.write(async (tx) => {
      const [head] = await tx.query<{ sequence: bigint }>(
        sql`select sequence from audit.head where tenant_id = ${tenant}`,
      );
      if (head === undefined) throw fail('not_found', 'There is no such tenant.');
      const through = head.sequence;
      const filters = Object.fromEntries(
        Object.entries(filter).flatMap(([name, value]) =>
          value === undefined ? [] : [[spell(name, 'snake'), String(value)]],
        ),
      );
      const payload = { format, filters, through_sequence: Number(through) };
      return { through, id: tx.record(event('audit.events.exported', payload)) };
    });

    const written: Record<ExportFormat, (rows: readonly EventRow[]) => Promise<string>> = {
      jsonl: async (rows) => rows.map((row) => exportLine(row, genesis(tenant))).join(''),
      csv: async (rows) => {
        const envelopes = rows.map(({ event }) => JSON.parse(event) as Envelope);
        const everybody = envelopes.flatMap((envelope) => principalsOf({ envelope }));
        const names = await namesOf(everybody, context);
        return rows.map((row, at) => csvLine(row, envelopes[at] as Envelope, genesis(tenant), names)).join('');
      },
    };
    async function* body(): AsyncGenerator<Buffer> {
      const digest = createHash('sha256');
      const done = { count: 0, first_sequence: 0, last_sequence: 0, bytes: 0 };
      const hand = (text: string): Buffer => {
        const bytes = Buffer.from(text);
        digest.update(bytes);
        done.bytes += bytes.length;
        return bytes;
      };
      if (format === 'csv') yield hand(csvHeader);
      for await (const rows of pages(scope, tenant, filter, begun.through)) {
        done.count += rows.length;
        done.first_sequence ||= Number(rows[0]?.sequence);
        done.last_sequence = Number(rows.at(-1)?.sequence);
        yield hand(await written[format](rows));
      }
      const sha256 = digest.digest('hex');
      await scope.write(async (tx) =>
        tx.record(event('audit.export.finished', { ...done, sha256 }, { causalId: begun.id })),
      );
    }
    return { name: `audit-${tenant}-${begun.through}.${format}`, through: Number(begun.through), body: body() };
  };
