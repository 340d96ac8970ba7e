import type { TenantContext } from '@steward/sql';
import { readStudio } from '../permissions.ts';
import { noForm, presentForm, selectForms, type Form } from './form.ts';

/** A form with its draft; archived ones too. @throws Problem `not_found` (404) */
export async function getForm(context: TenantContext, formId: string): Promise<Form> {
  const [row] = await context.require(readStudio).read(selectForms('f.form_id = $2::uuid', context.tenant, formId));
  if (row === undefined) throw noForm();
  return presentForm(row);
}
