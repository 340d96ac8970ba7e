import { operation } from '@steward/access';
import { z } from 'zod';
import { reads } from '../operations.ts';
import { byForm, form, noForm, selectForms, type FormRow } from './form.ts';

/** A form with its draft; archived ones too. @throws Problem `form_not_found` (404) */
export const getForm = operation(
  {
    ...reads,
    name: 'service_get_form',
    input: z.strictObject(byForm),
    answer: form.answer,
    errors: ['insufficient_role', 'form_not_found'],
  },
  async ({ context, read }, { formId }) => {
    const [row] = await read<FormRow>(selectForms('f.form_id = $2::uuid', context.tenant, formId));
    if (row === undefined) throw noForm();
    return form.read(row);
  },
);
