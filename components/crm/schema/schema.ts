import { fail } from '@steward/kernel';
import { sql, type Row, type Statement, type TenantContext, type TenantTransaction } from '@steward/sql';
import { readContacts } from '../permissions.ts';
import { builtInFields, type ContactSchema, type FieldType } from './field.ts';

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

export async function readContactSchema(context: TenantContext): Promise<ContactSchema> {
  return presentSchema((await context.require(readContacts).read(activeSchema(context.tenant)))[0]);
}

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
  mappableFields(await readContactSchema(context));

/** @throws Problem `not_found` (404) */
export async function readSchemaVersion(context: TenantContext, version: number): Promise<ContactSchema> {
  const [row] = await context.require(readContacts).read(sql`
    select version, document from crm.contact_schema
    where tenant_id = ${context.tenant}::uuid and version = ${version}::int`);
  if (row === undefined && version !== 1) throw fail('not_found', 'The schema of contacts has no such version.');
  return presentSchema(row);
}
