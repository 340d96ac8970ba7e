import { isId } from '@steward/kernel';
import { noteReturned } from '@steward/mail';
import { withInstance } from '../with-instance.ts';
import type { CommandEnvironment } from '../instance.ts';
import { UsageError } from '../command.ts';

/** `mail bounced`: an email bounced: informs its tenant, and stops emails to its recipient. */
export async function bouncedCommand(messageId: string, env: CommandEnvironment): Promise<number> {
  const [email = ''] = messageId.replace('<', '').split('@');
  if (!isId(email))
    throw new UsageError('Give the Message-ID of the letter that came back, such as <01a20445-…@mail.example.com>.');
  return withInstance(env, async ({ pool }) => {
    if (await noteReturned(pool, email)) {
      console.log('Noted. A server tells the tenant within ten minutes, and sends nothing more to that address.');
      return 0;
    }
    console.log('There is no such letter: it was not sent, came back before, or is older than 35 days.');
    return 1;
  });
}
