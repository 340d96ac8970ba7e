import { parseArgs } from 'node:util';
import { readConfig } from '@steward/kernel';
import * as mail from '@steward/mail';
import { lettersGivenUp, summarizeMail, type GivenUp, type Heap } from '@steward/mail';
import { withHouse } from '../house.ts';
import type { CommandEnvironment } from '../instance.ts';

/** `mail status`: how many letters wait, were sent and were given up, over all tenants; neither addresses nor contents. */
export async function statusCommand(args: string[], env: CommandEnvironment): Promise<number> {
  const { values } = parseArgs({ args, options: { json: { type: 'boolean', default: false } } });
  const smtpUrlHere = readConfig(env, [mail]).mail !== undefined;
  return withHouse(env, async ({ pool }) => {
    const heaps = await summarizeMail(pool);
    const givenUp = await lettersGivenUp(pool, 20);
    console.log(
      values.json ? JSON.stringify({ smtpUrlHere, heaps, givenUp }, null, 2) : described(smtpUrlHere, heaps, givenUp),
    );
    return 0;
  });
}

function described(smtpUrlHere: boolean, heaps: readonly Heap[], givenUp: readonly GivenUp[]): string {
  const of = (state: Heap['state']): Heap[] => heaps.filter((heap) => heap.state === state);
  const count = (state: Heap['state']): number => of(state).reduce((sum, { letters }) => sum + letters, 0);
  const oldest = of('queued')[0]?.first_at;
  const reasons = of('dead').map(({ reason, letters }) => `${letters} ${reason}`);
  return [
    smtpUrlHere
      ? 'SMTP_URL is set for this command; a server sends with its own.'
      : 'SMTP_URL is not set for this command. Whether a server sends is by its own: it says so at its start.',
    `queued    ${count('queued')}${oldest instanceof Date ? `, the ${oldest > new Date() ? 'first one due' : 'oldest since'} ${oldest.toISOString()}` : ''}`,
    `sent      ${count('sent')} in the last day`,
    `given up  ${count('dead')}${reasons.length === 0 ? '' : `: ${reasons.join(', ')}`}`,
    ...givenUp.map(
      ({ tenant_id, letter_id, reason, attempts, settled_at, kept }) =>
        `  ${settled_at.toISOString()} tenant ${tenant_id} letter ${letter_id} ${reason}, attempts: ${attempts}${kept ? '' : ', erased'}`,
    ),
  ].join('\n');
}
