import { versionNumber } from '@steward/contract';
import { sql, type TenantContext, type TenantTransaction } from '@steward/sql';
import { z } from 'zod';
import { event } from '../events.ts';
import { portalFail } from '../errors.ts';
import { administerTenant } from '../permissions.ts';
import { lockOrganization, presentOrganization, type Organization } from './organization.ts';

const line = z
  .string()
  .trim()
  .regex(/^[^\p{Cc}]*$/u, 'Control characters are not accepted');

/** What may be changed; what is not given stays. Currency and fiscal year are the books' and do not change here. */
export const organizationChange = z.strictObject({
  name: line.min(1).max(200).optional().meta({ description: 'Name of the organization.' }),
  persona: line
    .min(1)
    .max(64)
    .optional()
    .meta({ description: 'general, retail, services, nonprofit, or a word of your own.' }),
  version: versionNumber.optional().meta({ description: 'Change only if the organization still has this version.' }),
});

export interface OrganizationUpdate {
  readonly before: Organization;
  readonly after: Organization;
}

/**
 * Renames the organization or changes its persona.
 * @throws Problem `version_conflict` (409)
 */
export async function updateOrganization(
  context: TenantContext,
  change: z.infer<typeof organizationChange>,
  changed: (tx: TenantTransaction) => Promise<void>,
): Promise<OrganizationUpdate> {
  return context.require(administerTenant).write(async (tx) => {
    const [row] = await tx.query(lockOrganization);
    const before = presentOrganization(row);
    if (change.version !== undefined && change.version !== before.version) {
      throw portalFail(
        'version_conflict',
        `The organization is at version ${before.version}: read it again and decide anew.`,
      );
    }
    const name = change.name ?? before.name;
    const persona = change.persona ?? before.persona;
    if (name === before.name && persona === before.persona) return { before, after: before };
    await tx.mark();
    const [updated] = await tx.query(sql`
      update portal.tenant set name = ${name}, persona = ${persona}, version = version + 1
      returning tenant_id, name, default_currency, fiscal_year_start_month, persona, version`);
    if (persona !== before.persona) await changed(tx);
    const given = { name, persona };
    const fields = (['name', 'persona'] as const).filter((field) => given[field] !== before[field]);
    const after = presentOrganization(updated);
    tx.record(event('portal.organization.updated', { fields, version: after.version }));
    return { before, after };
  });
}
