import { operation } from '@steward/access';
import { count, field, id, moment, pageCursor, pageLimit, pageOf, shape, text } from '@steward/contract';
import { timeOfId } from '@steward/kernel';
import { afterAllIds, page, statement } from '@steward/sql';
import { formNamed, noForm } from '@steward/studio';
import { z } from 'zod';
import { reads } from '../operations.ts';

const faults = z.array(z.object({ pointer: z.string(), code: z.string() }));

/** One kind of fault within a minute: of `commerce.refusal` named `r`. */
const refusal = shape('r', {
  refusalId: id(),
  status: count(),
  code: text(),
  /** Where in the body, and what was wrong there. */
  errors: field(faults, 'r.faults', (value) => JSON.parse(String(value)) as z.output<typeof faults>),
  times: count(),
  firstAt: field(z.string(), 'r.refusal_id', (value) => timeOfId(String(value))),
  lastAt: moment(),
});

/**
 * Why submissions to a form were refused, newest first.
 * @throws Problem `form_not_found` (404), for another tenant's form too
 */
export const listRefusals = operation(
  {
    ...reads,
    name: 'service_list_form_refusals',
    input: z.strictObject({
      formId: z.uuid().meta({ description: 'From service_list_forms.' }),
      limit: pageLimit,
      cursor: pageCursor(),
    }),
    answer: pageOf(refusal.answer),
    errors: ['form_not_found'],
  },
  async ({ context, readAll }, { formId, limit, cursor = afterAllIds }) => {
    const [form = [], rows = []] = await readAll([
      formNamed(context, formId),
      statement(
        `select ${refusal.columns} from commerce.refusal r
         where r.tenant_id = $1::uuid and r.form_id = $2::uuid and r.refusal_id < $3::uuid
         order by r.refusal_id desc limit $4::int`,
        [context.tenant, formId, cursor, limit + 1],
      ),
    ]);
    if (form.length === 0) throw noForm();
    return page(rows, limit, refusal.read, ({ refusalId }) => refusalId);
  },
);
