import { type Guard, type Route, route } from '@steward/contract';
import { sql } from '@steward/sql';
import { z } from 'zod';
import { filterOf, filterQuery } from '../events/filter.ts';
import type { Admitted } from '../events/routes.ts';
import { exportEvents } from '../policy.ts';
import { type Exporting, formats } from './export.ts';

const tag = 'Audit';
const types = { jsonl: 'application/x-ndjson', csv: 'text/csv; charset=utf-8; header=present' };

export const exportRoutes = (guard: Guard<Admitted>, exporting: Exporting): Route[] => [
  route({
    method: 'GET',
    path: '/api/audit/export',
    does: { pillar: 'accounting', tier: 'read' },
    summary: 'Export audit events',
    description:
      'All events that match the filters of the list, oldest first, up to the present head of the chain, as JSON Lines ' +
      'with the hashes that `GET /api/audit/verifier` checks, or as CSV. The chain records the start of the export before ' +
      'the first byte is sent, and its end with count and SHA-256 after the last. An export without a recorded end is ' +
      'incomplete.',
    tag,
    guard,
    query: z.strictObject({ ...filterQuery, format: z.enum(formats).optional() }),
    answers: { 200: { description: 'The events, as an attachment', types: ['application/x-ndjson', 'text/csv'] } },
    handle: async ({ guard: { context }, query, request }) => {
      const format = (query as { format?: (typeof formats)[number] }).format ?? 'jsonl';
      if (request.method === 'HEAD') {
        await context.require(exportEvents).read(sql`select 1 as admitted`);
        return { status: 200, text: '', type: types[format] };
      }
      const { name, body } = await exporting(context, format, filterOf(query));
      return {
        status: 200,
        stream: body,
        type: types[format],
        headers: { 'content-disposition': `attachment; filename="${name}"` },
      };
    },
  }),
];
