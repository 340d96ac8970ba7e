import { operation } from '@steward/access';
import { id, moment, nullable, oneOf, pageCursor, pageLimit, pageOf, shape, text, count } from '@steward/contract';
import { beforeAllIds, page, statement } from '@steward/sql';
import { z } from 'zod';
import { reads } from '../operations.ts';
import { readTaxForms } from '../permissions.ts';
import { filingStatuses } from './taxbandits.ts';

/** A form that a provider files: of `accounting.tax_filing` named `f`, joined with its party `p`, where it is known. */
const filing = shape('f', {
  filingId: id(),
  provider: text(),
  form: text(),
  taxYear: nullable(count()),
  partyId: nullable(id()),
  partyName: nullable(text('p.name')),
  status: oneOf(filingStatuses),
  /** In the provider's own word. */
  providerStatus: text(),
  statusAt: moment(),
});

/** Forms 1099 that a provider files, and how far each came, in the order in which they were first told of. */
export const listFilings = operation(
  {
    ...reads,
    requires: readTaxForms,
    area: 'reports',
    name: 'service_list_tax_filings',
    input: z.strictObject({
      taxYear: z.int().min(2000).max(2100).optional().meta({ description: 'Calendar year, such as 2026.' }),
      status: z.enum(filingStatuses).optional().meta({ description: 'Only filings of this status.' }),
      limit: pageLimit,
      cursor: pageCursor(z.uuid()),
    }),
    answer: pageOf(filing.answer),
  },
  async (scope, { taxYear, status, limit, cursor }) => {
    const rows = await scope.read(
      statement(
        `select ${filing.columns} from accounting.tax_filing f
         left join accounting.party p on p.tenant_id = f.tenant_id and p.party_id = f.party_id
         where f.tenant_id = $1::uuid and ($2::int is null or f.tax_year = $2) and ($3::text is null or f.status = $3) and f.filing_id > $4::uuid
         order by f.filing_id limit $5::int`,
        [scope.context.tenant, taxYear, status, cursor ?? beforeAllIds, limit + 1],
      ),
    );
    return page(rows, limit, filing.read, (last) => last.filingId);
  },
);
