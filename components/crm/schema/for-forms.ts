import type { TenantTransaction } from '@steward/sql';
import { checkMapped } from '../contacts/mapped.ts';
import { contactSchemaIn, mappableFields } from './schema.ts';

/** The contact schema as forms see it. */
interface FormsView {
  has(key: string): boolean;
  keys(): Iterable<string>;
  /** Why a field would refuse a value, in words; undefined where it takes it, or where that depends on the visitor. */
  fault(key: string, value: unknown): string | undefined;
}

/** Which custom fields take values, and which values they refuse. */
export async function fieldsForForms(tx: TenantTransaction): Promise<FormsView> {
  const schema = await contactSchemaIn(tx);
  const custom = new Map(
    mappableFields(schema)
      .filter(({ builtIn }) => !builtIn)
      .map((field) => [field.key, field]),
  );
  return {
    has: (key) => custom.has(key),
    keys: () => custom.keys(),
    fault: (key, value) => {
      // Whether a telephone number is one depends on the country of form and site.
      if (custom.get(key)?.type === 'phone') return undefined;
      return checkMapped(schema, { name: 'Ada', [key]: value })[0]?.detail;
    },
  };
}
