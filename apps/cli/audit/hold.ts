import { placeHold, readHold, releaseHold } from '@steward/audit';
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
  return withInstance(env, async ({ operator }) => {
    const context = operator(tenant);
    if (release) {
      const { releasedId } = await releaseHold(context, {});
      console.log(releasedId === null ? 'There was no hold.' : `Hold ${releasedId} is released.`);
      return 0;
    }
    const { hold } = reason === undefined ? await readHold(context, {}) : await placeHold(context, { reason });
    console.log(
      hold === null
        ? 'There is no hold.'
        : `Hold ${hold.holdId} stands since ${hold.placedAt}, placed by ${hold.placedBy}: ${hold.reason}`,
    );
    return 0;
  });
}
