import type { GraphBuilder, GraphModule } from '@steward/graphql';
import { doing, enumOf, objectOf, taking } from '@steward/graphql/field';
import { z } from 'zod';
import { w9ByParty } from './batch.ts';
import { recordW9 } from './record-w9.ts';
import { taxpayer } from './taxpayer.ts';

/** The one `W9` of a schema, whichever module asks for it first. */
export function w9Type(builder: GraphBuilder) {
  enumOf(builder, 'W9Status', taxpayer.answer.shape.status);
  enumOf(builder, 'Form1099Box', taxpayer.answer.shape.box);
  return objectOf(builder, 'W9', taxpayer.answer, {
    description: 'The stored data of a supplier’s Form W-9, with only four digits of the taxpayer’s number.',
    members: {
      classification: { type: 'String' },
      tinKind: { type: 'String' },
      eligible: 'Whether payments to the supplier are reported on Form 1099.',
    },
  });
}

/** Forms W-9 in the GraphQL API. A taxpayer's number comes and goes over REST alone, for people who may decide. */
export const w9Graph =
  (secret: Uint8Array): GraphModule =>
  (builder) => {
    const type = w9Type(builder);
    builder.queryFields((t) => ({
      w9: t.field({
        extensions: doing('service_get_1099_summary'),
        type,
        nullable: true,
        description: 'null if no Form W-9 was requested from the supplier yet.',
        ...taking(builder, z.strictObject({ partyId: recordW9.input.shape.partyId }), async ({ partyId }, context) =>
          context.load(w9ByParty, partyId),
        ),
      }),
    }));
    builder.mutationFields((t) => ({
      setW9Status: t.field({
        type,
        extensions: doing('service_set_w9_status'),
        ...taking(builder, recordW9.input, async (args, { tenant }) => recordW9(tenant, args, { secret }), {
          without: ['legalName', 'classification', 'tin'],
        }),
      }),
    }));
  };
