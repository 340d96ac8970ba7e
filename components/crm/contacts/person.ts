import type { Of } from '@steward/contract';
import type { TenantContext } from '@steward/sql';
import { z } from 'zod';
import { readContacts } from '../permissions.ts';
import type { Contact } from './contact.ts';
import { sameContact } from './same.ts';

/** A customer or supplier of the books. */
export const party = z.object({ id: z.uuid(), name: z.string(), customer: z.boolean(), supplier: z.boolean() });
type Party = Of<{ readonly answer: typeof party }>;

export interface Parties {
  readonly linked: readonly Party[];
  /** Of one of the addresses, and linked with nobody. */
  readonly suggested: readonly Party[];
}

/** The parties of a person, as the accounting component passes them in: by ids of contacts, and by addresses. */
export type PartiesOf = (
  context: TenantContext,
  contactIds: readonly string[],
  emails: readonly string[],
) => Promise<Parties>;

export interface PersonPorts {
  readonly partiesOf: PartiesOf;
}

/** Also of the contacts that were merged into it. */
export async function partiesOfContact(
  context: TenantContext,
  { id, email, otherEmails }: Contact,
  partiesOf: PartiesOf,
): Promise<Parties> {
  const ids = await context.require(readContacts).read<{ id: string }>(sameContact(context.tenant, id));
  return partiesOf(
    context,
    ids.map((one) => one.id),
    email === null ? otherEmails : [email, ...otherEmails],
  );
}
