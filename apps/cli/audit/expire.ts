import { withInstance } from '../with-instance.ts';
import type { CommandEnvironment } from '../instance.ts';
import { tenantsOf } from './tenants.ts';

/** `audit expire`: removes archived rows older than AUDIT_RETENTION_DAYS; exit 1 where something could not be removed. */
export async function expireCommand(
  { tenant: only, 'dry-run': dryRun }: { tenant: string | undefined; 'dry-run': boolean },
  env: CommandEnvironment,
): Promise<number> {
  return withInstance(env, async (instance) => {
    const { retentionDays } = instance.config.archive;
    let total = 0;
    let failed = false;
    for (const tenant of await tenantsOf(instance, only)) {
      try {
        const { from, through, days, bytes } = await instance.archive.expire(instance.operator(tenant), {
          retentionDays,
          dryRun,
        });
        total += days;
        if (days > 0) console.log(`tenant ${tenant}: ${from} to ${through}, ${days} days, ${bytes} bytes`);
      } catch (error) {
        failed = true;
        console.error(`tenant ${tenant}: ${String((error as Error).message)}`);
      }
    }
    console.log(`${total} days ${dryRun ? 'would expire' : 'expired'}, sealed more than ${retentionDays} days ago.`);
    return failed ? 1 : 0;
  });
}
