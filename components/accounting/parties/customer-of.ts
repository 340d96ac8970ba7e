import { sql, type TenantContext } from '@steward/sql';
import { Problem } from '@steward/kernel';
import { keepBooks } from '../permissions.ts';
import { type HoldingContacts, heldContact } from './contacts.ts';
import { createParty } from './create.ts';

/** Who bought, for the books. */
export interface Customer {
  readonly contactId: string | null;
  readonly name: string;
  readonly email: string | null;
  readonly currency: string;
  /** What the party is called where the contact is erased or there is none: nothing else is kept of the person then. */
  readonly otherwise: string;
}

/**
 * The customer who is this contact, in use and the first one made; else a new one. Two that ask at once wait for each other. Somebody who was erased
 * gets a party that says nothing of them.
 */
export async function customerOf(context: TenantContext, customer: Customer, ports: HoldingContacts): Promise<string> {
  const { tenant } = context;
  return context.require(keepBooks).write(async (tx) => {
    const contactId = await heldContact(tx, customer.contactId, ports.contacts).catch((error: unknown) => {
      if (error instanceof Problem && error.code === 'not_found') return null;
      throw error;
    });
    if (contactId === null) {
      const { otherwise: name, currency } = customer;
      return (await createParty(tx.context, { name, currency, customer: true }, ports)).id;
    }
    await tx.query(sql`
      select pg_advisory_xact_lock(hashtextextended(${`accounting customer ${tenant} ${contactId}`}, 0))`);
    const [known] = await tx.query<{ party_id: string }>(sql`
      select party_id from accounting.party
      where tenant_id = ${tenant}::uuid and contact_id = ${contactId}::uuid and customer and archived_at is null and erased_at is null
      order by party_id limit 1`);
    if (known !== undefined) return known.party_id;
    const { name, email, currency } = customer;
    const made = await createParty(tx.context, { name, email, currency, customer: true, contactId }, ports);
    return made.id;
  });
}
