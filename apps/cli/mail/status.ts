import { readConfig } from '@steward/kernel';
import * as mail from '@steward/mail';
import { emailsGivenUp, summarizeMail, type GivenUp, type MailCount } from '@steward/mail';
import { withInstance } from '../with-instance.ts';
import type { CommandEnvironment } from '../instance.ts';

/** `mail status`: how many emails wait, were sent and were given up, over all tenants; neither addresses nor contents. */
export async function statusCommand({ json }: { json: boolean }, env: CommandEnvironment): Promise<number> {
  const { mail: sends } = readConfig(env, [mail]);
  const smtpUrlHere = sends !== undefined && 'url' in sends;
  return withInstance(env, async ({ pool }) => {
    const counts = await summarizeMail(pool);
    const givenUp = await emailsGivenUp(pool, 20);
    console.log(
      json ? JSON.stringify({ smtpUrlHere, heaps: counts, givenUp }, null, 2) : described(smtpUrlHere, counts, givenUp),
    );
    return 0;
  });
}

function described(smtpUrlHere: boolean, counts: readonly MailCount[], givenUp: readonly GivenUp[]): string {
  const of = (state: MailCount['state']): MailCount[] => counts.filter((one) => one.state === state);
  const count = (state: MailCount['state']): number => of(state).reduce((sum, { letters }) => sum + letters, 0);
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
