import { z } from 'zod';
import type { Proof } from './proof.ts';
import type { SignedEvent } from './receipt.ts';

const hash = z.string().regex(/^[0-9a-f]{64}$/);

const placed = z.object({
  tenant: z.uuid(),
  event: z.string(),
  sequence: z.int(),
  receivedAt: z.iso.datetime(),
  previousHash: hash,
  rowHash: hash,
});

/** Spelled as the archive's documents are: the same bytes come from the command line, and go to verifiers. */
export const proofSchema = placed.extend({
  format: z.literal('steward-audit-proof/1'),
  day: z.iso.date(),
  leafIndex: z.int(),
  treeSize: z.int(),
  path: z.array(hash),
  checkpoint: z.string(),
  keys: z.array(z.string()),
}) satisfies z.ZodType<Proof>;

export const receiptSchema = placed.extend({
  format: z.literal('steward-audit-receipt/1'),
  receipt: z.object({ format: z.literal('audit-receipt/v1'), keyId: z.string(), signature: z.string() }),
  keys: z.array(z.string()),
}) satisfies z.ZodType<SignedEvent>;
