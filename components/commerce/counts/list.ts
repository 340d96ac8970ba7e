import { operation } from '@steward/access';
import { day, field, shape } from '@steward/contract';
import { fail } from '@steward/kernel';
import { statement } from '@steward/sql';
import { formNamed, noForm } from '@steward/studio';
import { z } from 'zod';
import { reads } from '../operations.ts';

/** Days of a period at most. */
const mostDays = 366;
const dayInput = z.iso.date();
const whole = (sql: string) => field(z.int(), sql, Number);

const formDay = shape('d', {
  day: day('d.day'),
  /** How often pages read the form. */
  reads: whole('sum(d.reads)'),
  refused: whole('sum(d.refused)'),
  submitted: whole('sum(d.submitted)'),
});

/**
 * How often a form, or all forms, were read, refused and submitted, by day of UTC: days with nothing are left out.
 * @throws Problem `form_not_found` (404), for another tenant's form too; `invalid_request` (400) for a period
 */
export const countForms = operation(
  {
    ...reads,
    name: '',
    input: z.strictObject({
      formId: z.uuid().optional().meta({ description: 'Default: all forms together.' }),
      mode: z.enum(['live', 'test']).default('live').meta({ description: 'test: of test keys.' }),
      from: dayInput.meta({ description: 'First day, YYYY-MM-DD.' }),
      to: dayInput.meta({ description: 'Last day, YYYY-MM-DD: at most 366 days.' }),
    }),
    answer: z.object({ items: z.array(formDay.answer) }),
    errors: ['form_not_found'],
  },
  async ({ context, readAll }, { formId, mode, from, to }) => {
    const days = (Date.parse(to) - Date.parse(from)) / 86_400_000 + 1;
    if (!(days >= 1 && days <= mostDays)) {
      const detail = days < 1 ? 'The period ends before it begins.' : 'The period is longer than 366 days.';
      throw fail('invalid_request', detail, { errors: [{ pointer: '/to', code: 'period', detail }] });
    }
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
