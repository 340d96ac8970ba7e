import { z } from 'zod';
import type { Proof } from './proof.ts';

const hash = z.string().regex(/^[0-9a-f]{64}$/);

/** Spelled as the archive's documents are: the same bytes come from the command line, and go to verifiers. */
export const proofSchema = z.object({
  format: z.literal('steward-audit-proof/1'),
  tenant: z.uuid(),
  day: z.iso.date(),
  event: z.string(),
  sequence: z.int(),
  receivedAt: z.iso.datetime(),
  previousHash: hash,
  rowHash: hash,
  leafIndex: z.int(),
  treeSize: z.int(),
  path: z.array(hash),
  checkpoint: z.string(),
  keys: z.array(z.string()),
}) satisfies z.ZodType<Proof>;
