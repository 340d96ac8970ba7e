import type { GraphBuilder } from '@steward/graphql';
import { doing, taking, weigh } from '@steward/graphql/field';
import { z } from 'zod';
import { type Proof, tlogProof } from './proof.ts';
import type { Prove } from './prove.ts';

/** Adds `auditProof`. */
export function proofGraph(builder: GraphBuilder, prove: Prove): void {
  const proof = builder.objectRef<Proof>('AuditProof').implement({
    description: 'That an event stands in a sealed day; to be checked offline with the public key alone.',
    fields: (t) => ({
      format: t.exposeString('format'),
      tenant: t.exposeID('tenant'),
      day: t.exposeString('day'),
      event: t.exposeString('event', { description: 'The canonical text that is hashed.' }),
      sequence: t.expose('sequence', { type: 'BigInt' }),
      receivedAt: t.expose('receivedAt', { type: 'DateTime' }),
      previousHash: t.exposeString('previousHash'),
      rowHash: t.exposeString('rowHash'),
      leafIndex: t.exposeInt('leafIndex'),
      treeSize: t.exposeInt('treeSize'),
      path: t.exposeStringList('path', { description: 'From the leaf to the root.', extensions: weigh({ size: 20 }) }),
      checkpoint: t.exposeString('checkpoint', { description: 'The signed note.' }),
      keys: t.exposeStringList('keys', {
        description: 'The notes of all signing keys.',
        extensions: weigh({ size: 4 }),
      }),
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
