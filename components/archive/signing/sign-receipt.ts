import { sign } from 'node:crypto';
import type { StoredEvent } from '@steward/audit';
import { type Receipt, receiptBytes } from '@steward/audit/chain';
import type { SigningKey } from '../format/note.ts';

export const signReceipt = ({ keyId, privateKey }: SigningKey, event: StoredEvent): Receipt => ({
  format: 'audit-receipt/v1',
  keyId,
  signature: sign(null, receiptBytes(event), privateKey).toString('base64url'),
});
