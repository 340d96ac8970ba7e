import type { TenantTransaction } from '@steward/sql';

export interface Change {
  readonly contactId: string;
  readonly created: boolean;
  readonly filled: readonly string[];
  readonly restored: boolean;
  readonly conflict: string | undefined;
  /** It was said with a test key. */
  readonly test: boolean;
}

/** Records what became of a contact. Which fields, not what they hold: that is personal. */
export function recordChange(
  tx: TenantTransaction,
  { contactId, created, filled, restored, conflict, test }: Change,
): void {
  if (created) record(tx, 'crm.contact.created', { contact_id: contactId }, test);
  else if (filled.length > 0)
    record(tx, 'crm.contact.updated', { contact_id: contactId, fields: filled.slice(0, 210) });
  if (restored) record(tx, 'crm.contact.restored', { contact_id: contactId });
  if (conflict !== undefined)
    record(tx, 'crm.contact.identity_conflict', { contact_id: contactId, phone_of: conflict });
}

interface Payload extends Readonly<Record<string, unknown>> {
  readonly contact_id?: string;
  readonly merged_id?: string;
  readonly fields?: readonly string[];
}

/** Recorded and announced, but for erasures, which announce themselves, and conflicts, which concern the owner alone. */
export function record(tx: TenantTransaction, type: string, payload: Payload, test = false): string {
  const causationId = tx.record({ type, eventVersion: '1.0.0', grammar: 'crm', source: 'crm', payload });
  const { contact_id: contactId, merged_id: mergedId, fields } = payload;
  if (contactId !== undefined && announced.has(type))
    tx.publish({
      type,
      source: 'crm',
      subject: contactId,
      causationId,
      data: {
        contactId,
        ...(mergedId === undefined ? {} : { mergedId }),
        ...(fields === undefined ? {} : { fields }),
        ...(test ? { test } : {}),
      },
    });
  return causationId;
}

const announced = new Set([
  'crm.contact.created',
  'crm.contact.updated',
  'crm.contact.merged',
  'crm.contact.archived',
  'crm.contact.restored',
]);
