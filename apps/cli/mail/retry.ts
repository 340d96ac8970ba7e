import { parseArgs } from 'node:util';
import { isId } from '@steward/kernel';
import { retryMail } from '@steward/mail';
import { withInstance } from '../with-instance.ts';
import type { CommandEnvironment } from '../instance.ts';
import { UsageError } from '../usage.ts';

/** `mail retry`: emails that were given up are due again, as long as there is something to send. */
export async function retryCommand(args: string[], env: CommandEnvironment): Promise<number> {
  const { values } = parseArgs({ args, options: { tenant: { type: 'string' }, reason: { type: 'string' } } });
  const { tenant, reason } = values;
  if (tenant !== undefined && !isId(tenant)) throw new UsageError('--tenant is the id of a tenant.');
  return withInstance(env, async ({ pool }) => {
    const again = await retryMail(pool, { tenant, reason });
    console.log(again === 1 ? '1 letter is due again.' : `${again} letters are due again.`);
    return 0;
  });
}
