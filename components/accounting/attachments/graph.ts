import type { GraphBuilder, GraphContext, GraphModule } from '@steward/graphql';
import { doing, enumOf, objectOf, weigh } from '@steward/graphql/field';
import { idArgument, textArgument } from '../graph-arguments.ts';
import { attach } from './attach.ts';
import { attachment, type Attachment, mediaTypes } from './attachment.ts';
import { attachmentsByTarget } from './batch.ts';
import { readContent } from './content.ts';
import { listAttachments } from './read.ts';
import { removeAttachment } from './remove.ts';
import { fail } from '@steward/kernel';

/** The one `Attachment` of a schema, whichever module asks for it first. */
export function attachmentType(builder: GraphBuilder) {
  const kind = enumOf(builder, 'AttachmentTarget', attachment.answer.shape.targetKind);
  const type = objectOf(builder, 'Attachment', attachment.answer, {
    description:
      'A file that proves an entry, document, payment or bank line, bound by the hash of its content. Download it over ' +
      'REST.',
    members: { attachedAt: { type: 'DateTime' } },
  });
  return { kind, type };
}

/** What is attached to each of many, read at once. */
export const attachmentsOf = async ({ id }: { readonly id: string }, context: GraphContext): Promise<Attachment[]> =>
  (await context.load(attachmentsByTarget, id)) ?? [];

/** Files in the GraphQL API. */
export const attachmentGraph: GraphModule = (builder) => {
  const { kind, type } = attachmentType(builder);
  builder.queryFields((t) => ({
    attachments: t.field({
      type: [type],
      description: 'Files of one entry, document, payment or bank line, the earliest first.',
      args: { targetId: t.arg.id({ required: true }) },
      extensions: { ...weigh({ size: 20 }), ...doing('service_list_attachments') },
      resolve: async (_root, { targetId }, { tenant }) => listAttachments(tenant, { targetId: idArgument(targetId) }),
    }),
  }));
  builder.mutationFields((t) => ({
    attachFile: t.field({
      type,
      extensions: doing('service_attach_file'),
      description: 'Up to about 650 kB; send larger files to POST /api/attachments.',
      args: {
        targetKind: t.arg({ type: kind, required: true }),
        targetId: t.arg.id({ required: true }),
        fileName: t.arg.string({ required: true }),
        mediaType: t.arg.string({ required: true, description: mediaTypes.join(', ') }),
        contentBase64: t.arg.string({ required: true, description: 'The file, base64 (RFC 4648 §4).' }),
      },
      resolve: async (_root, { targetKind, targetId, fileName, mediaType, contentBase64 }, { tenant }) => {
        const known = mediaTypes.find((one) => one === mediaType);
        const name = textArgument(fileName) ?? '';
        if (known === undefined) throw fail('invalid_request', `mediaType must be one of ${mediaTypes.join(', ')}.`);
        if (name === '' || name.length > 255) throw fail('invalid_request', 'fileName must have 1 to 255 characters.');
        return attach(tenant, {
          targetKind,
          targetId: idArgument(targetId),
          fileName: name,
          mediaType: known,
          content: readContent(contentBase64),
        });
      },
    }),
    removeAttachment: t.field({
      type: 'Boolean',
      extensions: doing('service_attach_file'),
      description: 'Removes a file. Its hash stays in the audit log.',
      args: { id: t.arg.id({ required: true }) },
      resolve: async (_root, { id }, { tenant }) => {
        await removeAttachment(tenant, { attachmentId: idArgument(id) });
        return true;
      },
    }),
  }));
};
