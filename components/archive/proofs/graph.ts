import type { GraphBuilder } from '@steward/graphql';
import { doing, objectOf, taking, weigh } from '@steward/graphql/field';
import { z } from 'zod';
import { tlogProof } from './proof.ts';
import type { Prove } from './prove.ts';
import { proofSchema } from './schema.ts';

/** Adds `auditProof`. */
export function proofGraph(builder: GraphBuilder, prove: Prove): void {
  const proof = objectOf(builder, 'AuditProof', proofSchema, {
    description: 'That an event stands in a sealed day; to be checked offline with the public key alone.',
    members: {
      format: { type: 'String' },
      event: 'The canonical text that is hashed.',
      sequence: { type: 'BigInt' },
      path: { description: 'From the leaf to the root.', extensions: weigh({ size: 20 }) },
      checkpoint: 'The signed note.',
      keys: { description: 'The notes of all signing keys.', extensions: weigh({ size: 4 }) },
    },
    fields: (t) => ({
      tlogProof: t.string({
        description: 'The same as a C2SP tlog-proof; its entry is the row hash.',
        resolve: tlogProof,
      }),
    }),
  });
  builder.queryFields((t) => ({
    auditProof: t.field({
      type: proof,
      description: 'The day of the event must be sealed.',
      // The day's row hashes are read and hashed.
      extensions: { ...weigh({ cost: 2_000 }), ...doing({ pillar: 'accounting', tier: 'read' }) },
      ...taking(
        builder,
        z.strictObject({ eventId: z.string().min(1).max(200) }),
        async ({ eventId }, { tenant }) => prove(tenant, eventId),
        { members: { eventId: { type: 'ID' } } },
      ),
    }),
  }));
}
