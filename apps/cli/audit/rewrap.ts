import { withInstance } from '../with-instance.ts';
import type { CommandEnvironment } from '../instance.ts';
import { UsageError } from '../command.ts';
import { tenantsOf } from './tenants.ts';

/** `audit rewrap`: after a change of AUDIT_MASTER_KEY; `--lost` gives up what a lost one opens. */
export async function rewrapCommand({ lost }: { lost: string | undefined }, env: CommandEnvironment): Promise<number> {
  if (lost !== undefined && !/^[0-9a-f]{16}$/.test(lost))
    throw new UsageError('--lost takes the id of a master key, 16 hex digits, as a refused start names it.');
  return withInstance(env, async (instance) => {
    const { personal } = instance.audit;
    let keys = 0;
    for (const tenant of await tenantsOf(instance, undefined)) {
      const context = instance.operator(tenant);
      keys += lost === undefined ? await personal.rewrap(context) : await personal.giveUpMaster(context, lost);
    }
    console.log(
      lost === undefined
        ? `${keys} keys are wrapped anew: the first master key now opens all.`
        : `${keys} keys are erased: what was sealed with them can be read no more.`,
    );
    return 0;
  });
}
