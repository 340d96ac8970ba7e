import { operation } from '@steward/access';
import { pageCursor, pageLimit, pageOf } from '@steward/contract';
import { badCursor, fail } from '@steward/kernel';
import type { TenantScope } from '@steward/sql';
import { z } from 'zod';
import { linesOfPage } from '../lines.ts';
import { firstDay, lastDay } from '../money/schema.ts';
import { reads } from '../operations.ts';
import { requireParty } from '../parties/party.ts';
import { inOrder } from '../periods/span.ts';
import { document, documentById, selectDocuments } from './document.ts';
import { supplierNumber } from './input.ts';
import { documentKind, documentStatus } from './kind.ts';

/**
 * In the order they were drafted, the latest first, of issue dates from `from` to `to`; fewer than `limit` where their lines are many
 * (`linesOfPage`). Without `lines` none is read. A supplier's number is found in any case.
 * @throws Problem `not_found` (404) for the party, `invalid_cursor` (400)
 */
export const listDocuments = operation(
  {
    ...reads,
    area: 'sales',
    name: 'service_list_documents',
    input: z.strictObject({
      kind: documentKind.optional().meta({ description: 'Only documents of this kind.' }),
      status: documentStatus.optional().meta({ description: 'Only documents of this status.' }),
      partyId: z.uuid().optional().meta({ description: 'Only documents of this customer or supplier.' }),
      from: firstDay.optional(),
      to: lastDay.optional(),
      supplierNumber: supplierNumber.meta({ description: 'Only documents with this number of the supplier.' }),
      number: z
        .string()
        .regex(/^[1-9][0-9]{0,17}$/)
        .optional()
        .meta({ description: 'Only documents with this number; each kind has numbers of its own.' }),
      lines: z.boolean().default(false).meta({ description: 'With lines and taxes.' }),
      limit: pageLimit,
      cursor: pageCursor(),
    }),
    answer: pageOf(document.answer),
    errors: ['not_found', 'invalid_cursor'],
  },
  async (scope, { lines, limit, cursor, ...filter }) => {
    inOrder(filter);
    const size = lines
      ? `(select coalesce(max(l.line), 0) from accounting.document_line l where l.tenant_id = d.tenant_id and l.document_id = d.document_id)`
      : '0';
    const rows = await scope.read(
      selectDocuments(
        `d.tenant_id = $1::uuid and d.document_id in (select o.document_id from (
         select f.document_id, sum(f.size) over (order by f.created_at desc, f.document_id desc) - f.size as before
         from (select d.document_id, d.created_at, ${size} as size
         from accounting.document d left join accounting.item i on i.tenant_id = d.tenant_id and i.item_id = d.document_id
         where d.tenant_id = $1::uuid and ($2::uuid is null or (d.created_at, d.document_id) < (
           select c.created_at, c.document_id from accounting.document c where c.tenant_id = $1::uuid and c.document_id = $2::uuid))
         and ($3::text is null or d.kind = $3) and ($4::uuid is null or d.party_id = $4)
         and ($5::date is null or d.issue_date >= $5) and ($6::date is null or d.issue_date <= $6)
         and ($7::text is null or lower(d.supplier_number) = lower($7))
         and ($8::text is null or $8 = case when d.status = 'issued' and i.open_amount = 0 then 'paid' else d.status end)
         and ($11::bigint is null or d.number = $11)
         order by d.created_at desc, d.document_id desc limit $9::int) f) o where o.before < $10::int)
       order by d.created_at desc, d.document_id desc`,
        [
          scope.context.tenant,
          cursor ?? null,
          filter.kind ?? null,
          filter.partyId ?? null,
          filter.from ?? null,
          filter.to ?? null,
          filter.supplierNumber?.trim() ?? null,
          filter.status ?? null,
          limit + 1,
          linesOfPage,
          filter.number ?? null,
        ],
        lines,
      ),
    );
    if (rows.length === 0) await refuseUnknown(scope, filter.partyId, cursor);
    const items = rows.slice(0, limit).map(document.read);
    const full = items.reduce((sum, one) => sum + one.lines.length, 0) >= linesOfPage;
    return { items, nextCursor: rows.length > limit || full ? (items.at(-1)?.id ?? null) : null };
  },
);

async function refuseUnknown(scope: TenantScope, partyId?: string, cursor?: string): Promise<void> {
  if (partyId !== undefined) await requireParty(scope, partyId);
  if (cursor !== undefined && (await scope.read(documentById(scope.context.tenant, cursor))).length === 0)
    throw fail('invalid_cursor', `${badCursor}.`);
}
