import * as crm from '@steward/crm';
import type { TenantTransaction } from '@steward/sql';
import type { ContactFields } from '@steward/studio';

/** The contact schema as forms see it: which custom fields take values, and which values they refuse. */
export async function contactFields(tx: TenantTransaction): Promise<ContactFields> {
  const schema = await crm.contactSchemaIn(tx);
  const custom = new Map(
    crm
      .mappableFields(schema)
      .filter(({ builtIn }) => !builtIn)
      .map((field) => [field.key, field]),
  );
  return {
    has: (key) => custom.has(key),
    keys: () => custom.keys(),
    fault: (key, value) => {
      // Whether a telephone number is one depends on the country of form and site.
      if (custom.get(key)?.type === 'phone') return undefined;
      return crm.checkMapped(schema, { name: 'Ada', [key]: value })[0]?.detail;
    },
  };
}
