import { enqueue, isWritable, markAsked } from '@steward/mail';
import type { TenantTransaction } from '@steward/sql';
import { event } from '../events.ts';
import { roomFor } from '../notifications/quota.ts';
import { confirmationEmail } from './email.ts';
import { takesPeople, type Addressee, type RecipientPorts } from './recipient.ts';

const day = 86_400_000;

/** What named an address: a form, or the settings of a brand. */
type NamedBy = { readonly formId: string } | { readonly brandId: string };

/** If only known addresses receive emails, an unknown one is asked when a form first names it, once. */
export async function askNew(
  tx: TenantTransaction,
  ports: Pick<RecipientPorts, 'links'>,
  formId: string,
  named: readonly Addressee[],
): Promise<void> {
  const unasked = named.filter(
    ({ standing, state, left }) =>
      standing === 'unconfirmed' && !left && isWritable(state) && (state?.askedAt ?? null) === null,
  );
  await askRecipients(tx, ports, { formId }, unasked);
}

/**
 * Asks addresses that are neither a member's nor confirmed whether they want emails, each at most once a day and within the tenant's
 * quotas for strangers; answers those that were asked. An address that other tenants have asked too often today gets no email. Neither
 * the answer nor the log says so, because it would reveal that others write there. The caller leaves out addresses that must not get one.
 * @param strangers those about whom a person decides: who confirms is a stranger no more
 */
export async function askRecipients(
  tx: TenantTransaction,
  { links }: Pick<RecipientPorts, 'links'>,
  by: NamedBy,
  wanted: readonly Addressee[],
  strangers: readonly string[] = [],
): Promise<Addressee[]> {
  const due = wanted.filter(({ state }) => (state?.askedAt?.getTime() ?? 0) < Date.now() - day);
  const addresses = due.map(({ address }) => address);
  const room = new Map(
    (await roomFor(tx, 'formId' in by ? by.formId : by.brandId, addresses)).map(({ to, written }) => [to, written]),
  );
  const asked: Addressee[] = [];
  for (const one of due) {
    const written = room.get(one.address);
    if (written === undefined) continue;
    const id = await markAsked(tx, one.digest);
    if (id === undefined) continue;
    const linked = { tenant: tx.context.tenant, address: one.digest };
    const words = confirmationEmail(
      links.to('confirm', linked),
      links.to('unsubscribe', linked),
      one.told,
      'formId' in by ? 'form' : 'orders',
    );
    if (written) await enqueue(tx, [{ ...words, to: one.address, key: `confirm ${id} ${new Date().toISOString()}` }]);
    tx.record({
      ...event('studio.recipient.asked', {
        recipient_id: id,
        ...('formId' in by ? { form_id: by.formId } : { brand_id: by.brandId }),
      }),
      ...takesPeople(strangers),
    });
    asked.push(one);
  }
  return asked;
}
