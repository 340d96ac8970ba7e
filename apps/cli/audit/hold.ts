import { withInstance } from '../with-instance.ts';
import type { CommandEnvironment } from '../instance.ts';
import { UsageError } from '../command.ts';
import { tenantOf } from './tenants.ts';

/** `audit hold`: places, releases or shows the legal hold on a tenant. */
export async function holdCommand(
  { tenant: named, reason, release }: { tenant: string; reason: string | undefined; release: boolean },
  env: CommandEnvironment,
): Promise<number> {
  const tenant = tenantOf(named);
  if (release && reason !== undefined) throw new UsageError('Either --reason places a hold, or --release ends it.');
  if (reason !== undefined && (reason === '' || reason.length > 500 || /\p{Cc}/u.test(reason)))
    throw new UsageError('--reason has 1 to 500 characters.');
  return withInstance(env, async ({ audit, operator }) => {
    const context = operator(tenant);
    if (release) {
      const released = await audit.personal.releaseHold(context);
      console.log(released === undefined ? 'There was no hold.' : `Hold ${released} is released.`);
      return 0;
    }
    const hold =
      reason === undefined ? await audit.personal.readHold(context) : await audit.personal.placeHold(context, reason);
    console.log(
      hold === undefined
        ? 'There is no hold.'
        : `Hold ${hold.holdId} stands since ${hold.placedAt}, placed by ${hold.placedBy}: ${hold.reason}`,
    );
    return 0;
  });
}
