import { operation } from '@steward/access';
import { versionNumber } from '@steward/contract';
import { fail } from '@steward/kernel';
import { sql, type Row, type Statement, type TenantContext, type TenantTransaction } from '@steward/sql';
import { z } from 'zod';
import { reads } from '../operations.ts';
import { builtInFields, contactSchema, type ContactSchema, type FieldType } from './field.ts';

export const activeSchema = (tenant: string): Statement => sql`
  select version, document from crm.contact_schema where tenant_id = ${tenant}::uuid order by version desc limit 1`;

export const firstSchema: ContactSchema = { version: 1, defaultCountry: null, fields: [] };

export const presentSchema = (row: Row | undefined): ContactSchema =>
  row === undefined
    ? firstSchema
    : { ...(row['document'] as Omit<ContactSchema, 'version'>), version: Number(row['version']) };

/** The schema that holds at this moment, in the caller's transaction. */
export async function contactSchemaIn(tx: TenantTransaction): Promise<ContactSchema> {
  return presentSchema((await tx.query(activeSchema(tx.context.tenant)))[0]);
}

export const readContactSchema = operation(
  { ...reads, name: 'service_get_contact_schema', input: z.strictObject({}), answer: contactSchema },
  async (scope) => presentSchema((await scope.read(activeSchema(scope.context.tenant)))[0]),
);

/** What a form may map its fields to. */
export interface MappableField {
  readonly key: string;
  readonly label: string;
  readonly type: FieldType | 'name';
  readonly builtIn: boolean;
}

const builtIn: readonly MappableField[] = builtInFields.map((key) => ({
  key,
  label: { email: 'E-mail', phone: 'Phone', name: 'Name' }[key],
  type: key,
  builtIn: true,
}));

export const mappableFields = (schema: ContactSchema): readonly MappableField[] => [
  ...builtIn,
  ...schema.fields
    .filter(({ retired }) => !retired)
    .map(({ key, label, type }) => ({ key, label, type, builtIn: false })),
];

/** The built-in fields and the custom ones that still take values. */
export const contactFields = async (context: TenantContext): Promise<readonly MappableField[]> =>
  mappableFields(await readContactSchema(context, {}));

/** As it was. @throws Problem `not_found` (404) */
export const readSchemaVersion = operation(
  {
    ...reads,
    name: 'service_get_contact_schema',
    input: z.strictObject({ version: versionNumber }),
    answer: contactSchema,
    errors: ['not_found'],
  },
  async (scope, { version }) => {
    const [row] = await scope.read(sql`
      select version, document from crm.contact_schema
      where tenant_id = ${scope.context.tenant}::uuid and version = ${version}::int`);
    if (row === undefined && version !== 1) throw fail('not_found', 'The contact schema has no such version.');
    return presentSchema(row);
  },
);
