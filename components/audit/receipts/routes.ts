import { type Guard, type Route, route } from '@steward/contract';
import { z } from 'zod';
import type { ReceiptKey } from './key.ts';

/** An auditor outside has neither a token nor a tenant. */
const anyone: Guard<undefined> = { security: 'none', errors: [], admit: () => undefined };

/** Without the public key a receipt proves nothing. */
export const keyRoutes = (key: () => Promise<ReceiptKey>): Route[] => [
  route({
    method: 'GET',
    path: '/api/audit/keys',
    summary: 'The public keys that audit receipts are checked with',
    tag: 'Audit',
    guard: anyone,
    answers: {
      200: {
        description: 'Raw Ed25519 public keys, base64url',
        schema: z.object({
          items: z.array(z.object({ key_id: z.string(), algorithm: z.literal('Ed25519'), public_key: z.string() })),
          next_cursor: z.null(),
        }),
      },
    },
    handle: async () => {
      const { keyId, publicKey } = await key();
      return {
        status: 200,
        body: { items: [{ key_id: keyId, algorithm: 'Ed25519', public_key: publicKey }], next_cursor: null },
      };
    },
  }),
];
