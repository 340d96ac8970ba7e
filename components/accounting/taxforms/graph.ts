import type { GraphBuilder, GraphModule } from '@steward/graphql';
import { doing, enumOf, objectOf } from '@steward/graphql/field';
import { idArgument } from '../graph-arguments.ts';
import { w9ByParty } from './batch.ts';
import { recordW9 } from './record-w9.ts';
import { taxpayer } from './taxpayer.ts';

/** The one `W9` of a schema, whichever module asks for it first. */
export function w9Type(builder: GraphBuilder) {
  const status = enumOf(builder, 'W9Status', taxpayer.answer.shape.status);
  const box = enumOf(builder, 'Form1099Box', taxpayer.answer.shape.box);
  const type = objectOf(builder, 'W9', taxpayer.answer, {
    description: 'The stored data of a supplier’s Form W-9, with only four digits of the taxpayer’s number.',
    members: {
      classification: { type: 'String' },
      tinKind: { type: 'String' },
      eligible: 'Whether payments to the supplier are reported on Form 1099.',
    },
  });
  return { status, box, type };
}

/** Forms W-9 in the GraphQL API. A taxpayer's number comes and goes over REST alone, for people who may decide. */
export const w9Graph =
  (secret: Uint8Array): GraphModule =>
  (builder) => {
    const { status, box, type } = w9Type(builder);
    builder.queryFields((t) => ({
      w9: t.field({
        extensions: doing('service_get_1099_summary'),
        type,
        nullable: true,
        description: 'null if no Form W-9 was requested from the supplier yet.',
        args: { partyId: t.arg.id({ required: true }) },
        resolve: async (_root, { partyId }, context) => context.load(w9ByParty, idArgument(partyId)),
      }),
    }));
    builder.mutationFields((t) => ({
      setW9Status: t.field({
        type,
        extensions: doing('service_set_w9_status'),
        args: {
          partyId: t.arg.id({ required: true }),
          status: t.arg({ type: status, required: true }),
          box: t.arg({ type: box }),
          eligible: t.arg.boolean(),
        },
        resolve: async (_root, args, { tenant }) =>
          recordW9(
            tenant,
            {
              partyId: idArgument(args.partyId),
              status: args.status,
              box: args.box ?? undefined,
              eligible: args.eligible ?? undefined,
            },
            { secret },
          ),
      }),
    }));
  };
