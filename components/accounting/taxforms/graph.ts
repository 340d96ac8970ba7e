import type { GraphBuilder, GraphModule } from '@steward/graphql';
import { doing } from '@steward/graphql/field';
import { idArgument } from '../graph-arguments.ts';
import { boxes } from './box.ts';
import { w9ByParty } from './batch.ts';
import { recordW9 } from './record-w9.ts';
import { type Taxpayer, w9Statuses } from './taxpayer.ts';

const make = (builder: GraphBuilder) => {
  const status = builder.enumType('W9Status', { values: w9Statuses });
  const box = builder.enumType('Form1099Box', { values: boxes });
  const type = builder.objectRef<Taxpayer>('W9').implement({
    description: 'What is kept of a supplier’s Form W-9: of the taxpayer’s number four digits.',
    fields: (t) => ({
      partyId: t.exposeID('partyId'),
      status: t.expose('status', { type: status }),
      statusOn: t.exposeString('statusOn'),
      legalName: t.exposeString('legalName', { nullable: true }),
      classification: t.exposeString('classification', { nullable: true }),
      tinKind: t.exposeString('tinKind', { nullable: true }),
      tinLast4: t.exposeString('tinLast4', { nullable: true }),
      eligible: t.exposeBoolean('eligible', { description: 'Whether payments to them are reported at all.' }),
      box: t.expose('box', { type: box }),
    }),
  });
  return { status, box, type };
};
const made = new WeakMap<GraphBuilder, ReturnType<typeof make>>();

/** The one `W9` of a schema, whichever module asks for it first. */
export function w9Type(builder: GraphBuilder): ReturnType<typeof make> {
  const known = made.get(builder) ?? make(builder);
  made.set(builder, known);
  return known;
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
        description: 'Null where nothing was asked of the supplier yet.',
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
          recordW9(tenant, secret, {
            partyId: idArgument(args.partyId),
            status: args.status,
            box: args.box ?? undefined,
            eligible: args.eligible ?? undefined,
          }),
      }),
    }));
  };
