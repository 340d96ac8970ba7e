import type { PublishedEvent, RecordedEvent } from '@steward/kernel';
import type { TenantTransaction } from '@steward/sql';
import { announcement, event } from '../events.ts';

export interface Change {
  readonly contactId: string;
  readonly created: boolean;
  readonly filled: readonly string[];
  readonly restored: boolean;
  readonly conflict: string | undefined;
}

/** Records what became of a contact, beside that it was made. Which fields, not what they hold: that is personal. */
export function recordChange(tx: TenantTransaction, { contactId, created, filled, restored, conflict }: Change): void {
  if (!created && filled.length > 0) recordUpdated(tx, contactId, filled.slice(0, 210));
  if (restored) recordShelved(tx, contactId, 'crm.contact.restored');
  // It concerns the owner alone, and is not announced.
  if (conflict !== undefined)
    tx.record(event('crm.contact.identity_conflict', { contact_id: contactId, phone_of: conflict }));
}

export const recordCreated = (tx: TenantTransaction, contactId: string, test = false): void =>
  tell(
    tx,
    event('crm.contact.created', { contact_id: contactId }),
    announcement('crm.contact.created', { contactId, ...(test ? { test } : {}) }, { subject: contactId }),
  );

export const recordUpdated = (tx: TenantTransaction, contactId: string, fields: readonly string[]): void =>
  tell(
    tx,
    event('crm.contact.updated', { contact_id: contactId, fields }),
    announcement('crm.contact.updated', { contactId, fields }, { subject: contactId }),
  );

export const recordShelved = (
  tx: TenantTransaction,
  contactId: string,
  type: 'crm.contact.archived' | 'crm.contact.restored',
): void => tell(tx, event(type, { contact_id: contactId }), announcement(type, { contactId }, { subject: contactId }));

export const recordMerged = (
  tx: TenantTransaction,
  contactId: string,
  mergedId: string,
  fields: readonly string[],
): void =>
  tell(
    tx,
    event('crm.contact.merged', { contact_id: contactId, merged_id: mergedId, fields }),
    announcement('crm.contact.merged', { contactId, mergedId, fields }, { subject: contactId }),
  );

/** Recorded, and announced as caused by that. */
export function tell(tx: TenantTransaction, recorded: RecordedEvent, announced: PublishedEvent): void {
  tx.publish({ ...announced, causationId: tx.record(recorded) });
}
