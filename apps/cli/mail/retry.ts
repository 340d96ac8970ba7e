import { isId } from '@steward/kernel';
import { retryMail } from '@steward/mail';
import { withInstance } from '../with-instance.ts';
import type { CommandEnvironment } from '../instance.ts';
import { UsageError } from '../command.ts';

/** `mail retry`: emails that were given up are due again, as long as there is something to send. */
export async function retryCommand(
  { tenant, reason }: Record<'tenant' | 'reason', string | undefined>,
  env: CommandEnvironment,
): Promise<number> {
  if (tenant !== undefined && !isId(tenant)) throw new UsageError('--tenant is the id of a tenant.');
  return withInstance(env, async ({ pool }) => {
    const again = await retryMail(pool, { tenant, reason });
    console.log(again === 1 ? '1 letter is due again.' : `${again} letters are due again.`);
    return 0;
  });
}
