import { announceAccessChange } from '@steward/identity';
import { Problem, readConfig } from '@steward/kernel';
import * as portal from '@steward/portal';
import { tenantOf } from '../audit/tenants.ts';
import { withInstance } from '../with-instance.ts';
import type { CommandEnvironment } from '../instance.ts';

/** `tenant tier`: moves a tenant to a billing tier; running servers heed it at once. */
export async function tierCommand(
  { tenant: named, tier }: { tenant: string; tier: string },
  env: CommandEnvironment,
): Promise<number> {
  const tenant = tenantOf(named);
  const publish = async (): Promise<void> => {
    throw new Error('a tier publishes nothing');
  };
  const { plans } = readConfig(env, [portal]);
  return withInstance(
    env,
    async ({ operator }) => {
      try {
        const changed = (tx: Parameters<typeof announceAccessChange>[0]) => announceAccessChange(tx, () => undefined);
        const { before, after } = await portal.changeTier(operator(tenant), { tier }, { plans, changed });
        console.log(`Tenant ${tenant}: ${before.tier} (${before.status}) → ${after.tier} (${after.status}).`);
        return 0;
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        console.error(error.detail);
        return 1;
      }
    },
    { grammars: [portal.grammar], publish },
  );
}
