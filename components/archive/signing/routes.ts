import { type Guard, inSnake, type Route, route } from '@steward/contract';
import { z } from 'zod';
import type { Keyring } from './keyring.ts';
import { readKeyNote } from '../format/key-note.ts';
import { publicKeyOf } from './public-key.ts';

/** An auditor outside has neither a token nor a tenant. */
const anyone: Guard<undefined> = { security: 'none', errors: [], admit: () => undefined };

const shown = inSnake(
  z.object({
    items: z.array(
      z.object({
        keyId: z.string(),
        algorithm: z.literal('Ed25519'),
        publicKey: z.string(),
        verifierKey: z.string(),
        note: z.string(),
        current: z.boolean(),
        from: z.iso.date().nullable(),
        retired: z.iso.date().nullable(),
        registeredAt: z.iso.datetime(),
      }),
    ),
    nextCursor: z.null(),
  }),
);

/** Without the public keys a receipt or a checkpoint proves nothing. */
export const keyRoutes = (keyring: Pick<Keyring, 'registered'>): Route[] => [
  route({
    method: 'GET',
    path: '/api/audit/keys',
    does: 'for_anyone',
    summary: 'The public keys that receipts and checkpoints are checked with, past ones too',
    tag: 'Audit',
    guard: anyone,
    answers: {
      200: {
        description:
          'In the order of their registration, the current one last. `public_key` is raw Ed25519, base64url; `verifier_key` the same ' +
          'as a line for verifiers; `note` is signed by the key itself and by the one before it; `from` is the first day that the key signs, `retired` the day ' +
          'on which it ended.',
        schema: shown.schema,
      },
    },
    handle: async () => {
      const keys = await keyring.registered();
      const notes = keys.map(({ note }) => readKeyNote(note));
      const items = keys.map(({ keyId, verifierKey, note, registeredAt }, index) => ({
        keyId,
        algorithm: 'Ed25519' as const,
        publicKey: publicKeyOf(verifierKey),
        verifierKey,
        note,
        current: index === keys.length - 1,
        from: notes[index]?.from ?? null,
        retired: notes.find(({ previous }) => previous === verifierKey)?.through ?? null,
        registeredAt: registeredAt.toISOString(),
      }));
      return { status: 200, body: shown.of({ items, nextCursor: null }) };
    },
  }),
];
