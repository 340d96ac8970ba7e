import { operation } from '@steward/access';
import { day, field, periodDay, requirePeriod, shape } from '@steward/contract';
import { statement } from '@steward/sql';
import { formNamed, noForm } from '@steward/studio';
import { z } from 'zod';
import { reads } from '../operations.ts';

/** Days of a period at most. */
const mostDays = 366;
const whole = (sql: string) => field(z.int(), sql, Number);

const formDay = shape('d', {
  day: day('d.day'),
  /** How often pages read the form. */
  reads: whole('sum(d.reads)'),
  /** How many visitors began to fill it in. */
  starts: whole('sum(d.starts)'),
  refused: whole('sum(d.refused)'),
  submitted: whole('sum(d.submitted)'),
});

/**
 * How often a form, or all forms, were read, begun, refused and submitted, by day of UTC: days with nothing are left out.
 * @throws Problem `form_not_found` (404), for another tenant's form too; `invalid_request` (400) for a period
 */
export const countForms = operation(
  {
    ...reads,
    name: '',
    input: z.strictObject({
      formId: z.uuid().optional().meta({ description: 'Default: all forms together.' }),
      mode: z.enum(['live', 'test']).default('live').meta({ description: 'test: of test keys.' }),
      from: periodDay.meta({ description: 'First day, YYYY-MM-DD.' }),
      to: periodDay.meta({ description: 'Last day, YYYY-MM-DD: at most 366 days.' }),
    }),
    answer: z.object({ items: z.array(formDay.answer) }),
    errors: ['form_not_found'],
  },
  async ({ context, readAll }, { formId, mode, from, to }) => {
    requirePeriod({ from, to }, mostDays);
    const [rows = [], form] = await readAll([
      statement(
        `select ${formDay.columns} from commerce.form_day d
         where d.tenant_id = $1::uuid and ($2::uuid is null or d.form_id = $2::uuid) and d.mode = $3 and d.day between $4::date and $5::date
         group by d.day order by d.day`,
        [context.tenant, formId ?? null, mode, from, to],
      ),
      ...(formId === undefined ? [] : [formNamed(context, formId)]),
    ]);
    if (form?.length === 0) throw noForm();
    return { items: rows.map(formDay.read) };
  },
);
