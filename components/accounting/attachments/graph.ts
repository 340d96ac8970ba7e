import type { GraphBuilder, GraphContext, GraphModule } from '@steward/graphql';
import { doing, enumOf, objectOf, taking, weigh } from '@steward/graphql/field';
import { z } from 'zod';
import { attach } from './attach.ts';
import { attachment, type Attachment, mediaTypes } from './attachment.ts';
import { attachmentsByTarget } from './batch.ts';
import { fileInput, readContent } from './content.ts';
import { listAttachments } from './read.ts';
import { removeAttachment } from './remove.ts';

/** The one `Attachment` of a schema, whichever module asks for it first. */
export function attachmentType(builder: GraphBuilder) {
  enumOf(builder, 'AttachmentTarget', attachment.answer.shape.targetKind);
  return objectOf(builder, 'Attachment', attachment.answer, {
    description:
      'A file that proves an entry, document, payment or bank line, bound by the hash of its content. Download it over REST.',
    members: { attachedAt: { type: 'DateTime' } },
  });
}

/** The field of what files are attached to; read at once for many. */
export const attached = (builder: GraphBuilder) => ({
  type: [attachmentType(builder)] as [ReturnType<typeof attachmentType>],
  extensions: { ...weigh({ size: 2 }), ...doing('service_list_attachments') },
  resolve: async ({ id }: { readonly id: string }, _args: object, context: GraphContext): Promise<Attachment[]> =>
    (await context.load(attachmentsByTarget, id)) ?? [],
});

/** Files in the GraphQL API. */
export const attachmentGraph: GraphModule = (builder) => {
  const type = attachmentType(builder);
  builder.queryFields((t) => ({
    attachments: t.field({
      type: [type],
      description: 'Files of one entry, document, payment or bank line, the earliest first.',
      extensions: { ...weigh({ size: 20 }), ...doing('service_list_attachments') },
      ...taking(builder, listAttachments.input, async (args, { tenant }) => listAttachments(tenant, args)),
    }),
  }));
  builder.mutationFields((t) => ({
    attachFile: t.field({
      type,
      extensions: doing('service_attach_file'),
      description: 'Up to about 650 kB; send larger files to POST /api/attachments.',
      ...taking(
        builder,
        fileInput,
        async ({ contentBase64, ...file }, { tenant }) =>
          attach(tenant, { ...file, content: readContent(contentBase64) }),
        {
          members: {
            mediaType: { type: 'String', description: mediaTypes.join(', ') },
            contentBase64: 'The file, base64 (RFC 4648 §4).',
          },
        },
      ),
    }),
    removeAttachment: t.field({
      type: 'Boolean',
      extensions: doing('service_attach_file'),
      description: 'Removes a file. Its hash stays in the audit log.',
      ...taking(
        builder,
        z.strictObject({ id: removeAttachment.input.shape.attachmentId }),
        async ({ id }, { tenant }) => {
          await removeAttachment(tenant, { attachmentId: id });
          return true;
        },
      ),
    }),
  }));
};
