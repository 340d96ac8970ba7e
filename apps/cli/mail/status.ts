import { readConfig } from '@steward/kernel';
import * as mail from '@steward/mail';
import { emailsGivenUp, summarizeMail, type GivenUp, type MailCount } from '@steward/mail';
import { withInstance } from '../with-instance.ts';
import type { CommandEnvironment } from '../instance.ts';

/** `mail status`: how many emails wait, were sent and were given up, over all tenants; neither addresses nor contents. */
export async function statusCommand({ json }: { json: boolean }, env: CommandEnvironment): Promise<number> {
  const { mail: sends } = readConfig(env, [mail]);
  const smtpUrlHere = sends !== undefined && 'url' in sends;
  const folder = sends !== undefined && 'folder' in sends ? sends.folder : undefined;
  return withInstance(env, async ({ pool }) => {
    const counts = await summarizeMail(pool);
    const givenUp = await emailsGivenUp(pool, 20);
    console.log(
      json
        ? JSON.stringify({ smtpUrlHere, mailFolderHere: folder !== undefined, heaps: counts, givenUp }, null, 2)
        : [sentBy(smtpUrlHere, folder), ...described(counts, givenUp)].join('\n'),
    );
    return 0;
  });
}

function sentBy(smtpUrlHere: boolean, folder: string | undefined): string {
  if (folder !== undefined)
    return `MAIL_FOLDER is set for this command (${folder}); whether a server writes there is by its own.`;
  return smtpUrlHere
    ? 'SMTP_URL is set for this command; a server sends with its own.'
    : 'Neither SMTP_URL nor MAIL_FOLDER is set for this command. Whether a server sends is by its own: it says so at its start.';
}

function described(counts: readonly MailCount[], givenUp: readonly GivenUp[]): string[] {
  const of = (state: MailCount['state']): MailCount[] => counts.filter((one) => one.state === state);
  const count = (state: MailCount['state']): number => of(state).reduce((sum, { letters }) => sum + letters, 0);
  const oldest = of('queued')[0]?.first_at;
  const reasons = of('dead').map(({ reason, letters }) => `${letters} ${reason}`);
  return [
    `queued    ${count('queued')}${oldest instanceof Date ? `, the ${oldest > new Date() ? 'first one due' : 'oldest since'} ${oldest.toISOString()}` : ''}`,
    `sent      ${count('sent')} in the last day`,
    `given up  ${count('dead')}${reasons.length === 0 ? '' : `: ${reasons.join(', ')}`}`,
    ...givenUp.map(
      ({ tenant_id, letter_id, reason, attempts, settled_at, kept }) =>
        `  ${settled_at.toISOString()} tenant ${tenant_id} letter ${letter_id} ${reason}, attempts: ${attempts}${kept ? '' : ', erased'}`,
    ),
  ];
}
