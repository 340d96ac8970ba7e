import type { Identity } from '@steward/identity';
import { oneLine, type Owed, type WordsOwed } from '@steward/mail';
import type { Tenancy } from '@steward/sql';
import { selectWebhooks, webhook, hostOf } from '../endpoints/webhook.ts';
import { itself } from '../sending/context.ts';
import { because, type Reason } from '../words.ts';
import { readersIn } from './owe.ts';

export interface WritingPorts {
  readonly tenancy: Pick<Tenancy, 'systemContext'>;
  readonly identity: Pick<Identity, 'memberships'>;
  /** Empty where there is no such tenant. */
  readonly organizationName: (tenant: string) => Promise<string>;
}

/** The present words of a letter about a webhook that was stopped. Undefined where it is not stopped any more, or the reader has left. */
export async function writeLetter(
  ports: WritingPorts,
  tenant: string,
  { about, reader }: Owed,
): Promise<WordsOwed | undefined> {
  const [webhookId = '', reason = ''] = about.split(' ');
  const scope = itself(ports, tenant);
  const [row] = await scope.read(selectWebhooks('e.endpoint_id = $2::uuid', tenant, webhookId));
  const stopped = row === undefined ? undefined : webhook.read(row);
  if (stopped === undefined || stopped.reason !== reason) return undefined;
  const to = (await readersIn(ports.identity, scope)).find(({ principal: { id } }) => id === reader)?.email;
  if (to === undefined) return undefined;
  const organization = oneLine(await ports.organizationName(tenant), 200);
  const host = hostOf(stopped);
  const paused = stopped.status === 'paused';
  return {
    to,
    subject: `${organization}: the webhook to ${host} is ${paused ? 'paused' : 'disabled'}`,
    text: [
      `Steward does not send events of ${organization} to ${host} any more, because ${because[reason as Reason]}.`,
      '',
      paused
        ? 'Events wait for it, for thirty days. Once the address answers again, resume the webhook: what waits is then sent, slowly at first.'
        : 'No events are kept for it. If it should get events again, resume the webhook, and replay what it missed.',
      '',
      `Webhook ${webhookId}${stopped.description === null ? '' : `, ${oneLine(stopped.description, 200)}`}`,
      'Resume it with service_resume_webhook, or POST /api/webhooks/{id}/resume at the portal.',
      '',
    ].join('\n'),
  };
}
