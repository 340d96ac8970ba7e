import { sign } from 'node:crypto';
import { type Place, type Receipt, receiptBytes } from '@steward/audit/chain';
import type { SigningKey } from '../format/note.ts';

export const signReceipt = ({ keyId, privateKey }: SigningKey, event: Place): Receipt => ({
  format: 'audit-receipt/v1',
  keyId,
  signature: sign(null, receiptBytes(event), privateKey).toString('base64url'),
});
