import {
  addressStates,
  markConfirmed,
  markRefused,
  markResubscribed,
  markUnsubscribed,
  type Refusal,
} from '@steward/mail';
import { newId } from '@steward/kernel';
import { sql, type Tenancy, type TenantTransaction } from '@steward/sql';
import { announcement, event } from '../events.ts';
import { answerForRecipient } from '../permissions.ts';
import type { LinkKind, Linked, Links } from './links.ts';

/** What a page says to a reader who followed a link. */
export interface Reader {
  /** Names of the tenant's sites, five at most: whose emails these are. */
  readonly sites: readonly string[];
  readonly confirmed: boolean;
  readonly unsubscribed: boolean;
}

/** What people do with emails, and mail servers with addresses: nobody of the tenant does it. */
export interface Recipients {
  /** Whose emails a link is about; undefined where it is none, or too old. */
  open(kind: LinkKind, token: string): Linked | undefined;
  look(linked: Linked): Promise<Reader>;
  /** A reader who wants emails wants them also after they had ended them. */
  confirm(linked: Linked): Promise<Reader>;
  unsubscribe(linked: Linked): Promise<Reader>;
  resubscribe(linked: Linked): Promise<Reader>;
  /** An email was refused for good; where the address was, nothing more is sent there. */
  refused(refusal: Refusal): Promise<void>;
}

export function createRecipients(tenancy: Tenancy, links: Links): Recipients {
  const scope = (tenant: string, who: 'recipient' | 'mail') => {
    const subject = { type: 'system', id: who } as const;
    const requestId = newId();
    const ids = { requestId, correlationId: requestId };
    return tenancy
      .systemContext({ tenant, chain: [subject], subject, caller: subject, ...ids })
      .require(answerForRecipient);
  };
  const look = async ({ tenant, address }: Linked): Promise<Reader> => {
    const { read } = scope(tenant, 'recipient');
    const sites = await read<{ name: string }>(
      sql`select name from studio.site where tenant_id = ${tenant}::uuid and status = 'active' order by site_id limit 5`,
    );
    const query = read as TenantTransaction['query'];
    const state = (await addressStates({ context: { tenant }, query }, [address])).get(address);
    return {
      sites: sites.map(({ name }) => name),
      confirmed: (state?.confirmedAt ?? null) !== null,
      unsubscribed: (state?.unsubscribedAt ?? null) !== null,
    };
  };
  const marking =
    (mark: (tx: TenantTransaction, address: string) => Promise<void>) =>
    async (linked: Linked): Promise<Reader> => {
      await scope(linked.tenant, 'recipient').write(async (tx) => mark(tx, linked.address));
      return look(linked);
    };
  const note = (
    tx: TenantTransaction,
    type: 'studio.recipient.confirmed' | 'studio.recipient.unsubscribed' | 'studio.recipient.resubscribed',
    id: string | undefined,
  ): void => {
    if (id !== undefined) tx.record(event(type, { recipient_id: id }));
  };
  return {
    open: links.open,
    look,
    confirm: marking(async (tx, address) => {
      note(tx, 'studio.recipient.resubscribed', await markResubscribed(tx, address));
      note(tx, 'studio.recipient.confirmed', await markConfirmed(tx, address));
    }),
    unsubscribe: marking(async (tx, address) =>
      note(tx, 'studio.recipient.unsubscribed', await markUnsubscribed(tx, address)),
    ),
    resubscribe: marking(async (tx, address) =>
      note(tx, 'studio.recipient.resubscribed', await markResubscribed(tx, address)),
    ),
    refused: async ({ tenant, address, reason, stops }) =>
      scope(tenant, 'mail').write(async (tx) => {
        const recipientId = await markRefused(tx, address, { reason, stops });
        if (recipientId === undefined) return;
        const causationId = tx.record(
          event('studio.recipient.refused', { recipient_id: recipientId, reason, stopped: stops }),
        );
        tx.publish(
          announcement(
            'studio.recipient.refused',
            { recipientId, reason, stopped: stops },
            { subject: recipientId, causationId },
          ),
        );
      }),
  };
}
