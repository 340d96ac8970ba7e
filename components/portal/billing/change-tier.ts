import { operation } from '@steward/access';
import { fail } from '@steward/kernel';
import { type TenantTransaction } from '@steward/sql';
import { z } from 'zod';
import { people, writes } from '../operations.ts';
import { operateTenant } from '../permissions.ts';
import { lockBilling, presentBilling, type BillingRow } from './billing.ts';
import { moveTo } from './move.ts';
import { type Plans, settled } from './plans.ts';

const standing = z.object({ tier: z.string(), status: z.string() });

interface TierPorts {
  readonly plans: Plans;
  /** Tells every process of it. */
  readonly changed: (tx: TenantTransaction) => Promise<void>;
}

/**
 * Moves a tenant to another billing tier, at once and for as long as nothing else moves it. The operator's, or a billing
 * provider's: nobody in a tenant may.
 * @throws Problem `invalid_request` (400) for a tier that is not configured, `not_found` (404) for a tenant that does not exist
 */
export const changeTier = operation(
  {
    ...writes,
    ...people,
    requires: operateTenant,
    input: z.strictObject({ tier: z.string() }),
    answer: z.object({ before: standing, after: standing }),
    errors: ['invalid_request', 'not_found'],
  },
  async (scope, { tier }, { plans, changed }: TierPorts) => {
    if (!settled(plans.tiers).includes(tier))
      throw fail(
        'invalid_request',
        'Give a tier other than trial: ' +
          `${settled(plans.tiers).join(', ')}. ` +
          'Define further tiers in the variable PLANS, for this command as for the servers.',
      );
    return scope.write(async (tx) => {
      const [row] = await tx.query<BillingRow>(lockBilling);
      if (row === undefined) throw fail('not_found', 'There is no such tenant.');
      const before = presentBilling(row, Date.now(), plans);
      const moved = await moveTo(tx, row, { tier, status: 'active', pastDueSince: null }, { plans, changed });
      return { before, after: presentBilling(moved, Date.now(), plans) };
    });
  },
);
