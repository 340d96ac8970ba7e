import { asItWas, operation } from '@steward/access';
import { versionNumber } from '@steward/contract';
import { statement } from '@steward/sql';
import { z } from 'zod';
import { event } from '../events.ts';
import { portalFail } from '../errors.ts';
import type { PortalPorts } from '../door.ts';
import { writes } from '../operations.ts';
import { organization } from './organization.ts';

const line = z
  .string()
  .trim()
  .regex(/^[^\p{Cc}]*$/u, 'Control characters are not accepted');
const locked = statement(`select ${organization.columns} from portal.tenant t for update`);

/**
 * Renames the organization or changes its persona; what is not given stays. Currency and fiscal year are the books' and do not change here.
 * @throws Problem `version_conflict` (409)
 */
export const updateOrganization = operation(
  {
    ...writes,
    name: 'service_update_organization',
    input: z.strictObject({
      name: line.min(1).max(200).optional().meta({ description: 'Name of the organization.' }),
      persona: line
        .min(1)
        .max(64)
        .optional()
        .meta({ description: '`general`, `retail`, `services`, `nonprofit`, or a word of your own.' }),
      version: versionNumber
        .optional()
        .meta({ description: 'Change the organization only if it still has this version.' }),
    }),
    answer: z.object({ before: organization.answer, after: organization.answer }),
    errors: ['version_conflict'],
  },
  async (scope, change, { identity }: Pick<PortalPorts, 'identity'>) =>
    scope.write(async (tx) => {
      const before = organization.read((await tx.query(locked))[0] ?? {});
      if (change.version !== undefined && change.version !== before.version) {
        throw portalFail(
          'version_conflict',
          `The organization was changed and now has version ${before.version}: read it again before you change it.`,
        );
      }
      const given = { name: change.name ?? before.name, persona: change.persona ?? before.persona };
      const fields = (['name', 'persona'] as const).filter((field) => given[field] !== before[field]);
      if (fields.length === 0) return asItWas({ before, after: before });
      await tx.mark();
      const [updated = {}] = await tx.query(
        statement(
          `update portal.tenant t set name = $1, persona = $2, version = version + 1 returning ${organization.columns}`,
          [given.name, given.persona],
        ),
      );
      if (given.persona !== before.persona) await identity.changed(tx);
      const after = organization.read(updated);
      tx.record(event('portal.organization.updated', { fields, version: after.version }));
      return { before, after };
    }),
);
