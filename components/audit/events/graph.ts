import type { GraphModule } from '@steward/graphql';
import { doing, objectOf, taking, weigh } from '@steward/graphql/field';
import { isId } from '@steward/kernel';
import type { TenantContext } from '@steward/sql';
import { z } from 'zod';
import type { StoredEvent } from '../appending/stored.ts';
import { causalityGraph } from '../causality/graph.ts';
import { chainHead, readChain } from '../chains/head.ts';
import type { Open } from '../personal/values/open-events.ts';
import type { Sign } from '../receipts/receipt.ts';
import type { Ingested } from './ingest.ts';
import { identifier } from './filter.ts';
import { graphFilter, graphFilterWords } from './graph-filter.ts';
import { ingestInput } from './graph-input.ts';
import { principalObject } from './graph-principal.ts';
import { findEvent, listEvents } from './list.ts';
import type { RequireAnswerable } from './require-answerable.ts';
import type { NamesOf } from './names.ts';
import { receipt, shownEvent } from './schema.ts';

export interface GraphDoors {
  readonly ingest: (context: TenantContext, input: unknown, spelling: 'camel') => Promise<Ingested>;
  readonly sign: Sign;
  readonly open: Open;
  readonly namesOf: NamesOf;
  readonly requireAnswerable: RequireAnswerable;
}

/** Flat, so that most fields are read without a call. */
const flat = ({ envelope, ...stored }: StoredEvent) => ({ ...envelope, ...stored });

/** The audit log in the GraphQL API: the same verbs as REST's. */
export function auditGraph({ ingest, sign, open, namesOf, requireAnswerable }: GraphDoors): GraphModule {
  return (builder) => {
    principalObject(builder, namesOf);
    const signed = objectOf(builder, 'AuditReceipt', receipt, {
      description: 'An Ed25519 signature over tenant, id, sequence, row hash and receivedAt.',
      members: { signature: 'base64url' },
    });
    const event = objectOf(builder, 'AuditEvent', shownEvent, {
      description: 'An event in the chain of the tenant.',
      without: ['tenantId', 'displayNames', 'receipt'],
      members: {
        grammarDigest: 'SHA-256 of the schema that the payload was checked against.',
        payload: { type: 'JSON' },
        dimensionalTags: { type: 'JSON' },
        principalChain: { extensions: weigh({ size: 4 }) },
        sequence: { type: 'BigInt' },
      },
      fields: (t) => ({
        receipt: t.field({
          type: signed,
          nullable: true,
          description: 'Signed on request; null while this server has no registered key.',
          extensions: weigh({ cost: 5 }),
          resolve: async (one) => sign(one),
        }),
      }),
    });
    objectOf(builder, 'AuditChainHead', chainHead, { members: { sequence: { type: 'BigInt' } } });
    const chained = objectOf(builder, 'AuditChain', readChain.answer, {
      description: "The head of the tenant's chain.",
      members: { sealedThrough: 'The last sealed UTC day.' },
    });
    builder.queryFields((t) => ({
      auditEvents: t.field({
        extensions: doing({ pillar: 'accounting', tier: 'read' }),
        type: [event],
        description:
          'Newest first; filters combine with AND. limit is 1 to 500, default 50. For the next page, set sequenceTo to the last sequence minus one.',
        ...taking(
          builder,
          graphFilter.extend({ limit: z.int().min(1).max(500).default(50) }),
          async ({ limit, ...filter }, { tenant }) => {
            requireAnswerable(filter, 'camel');
            return (await open(tenant, await listEvents(tenant, filter, { limit }))).map(flat);
          },
          graphFilterWords,
        ),
      }),
      auditEvent: t.field({
        extensions: doing({ pillar: 'accounting', tier: 'read' }),
        type: event,
        nullable: true,
        ...taking(
          builder,
          z.strictObject({ id: identifier }),
          async ({ id }, { tenant }) => {
            const found = isId(id) ? await findEvent(tenant, id) : undefined;
            const [opened] = await open(tenant, found === undefined ? [] : [found]);
            return opened === undefined ? null : flat(opened);
          },
          { members: { id: { type: 'ID' } } },
        ),
      }),
      auditChain: t.field({
        extensions: doing({ pillar: 'accounting', tier: 'read' }),
        type: chained,
        resolve: async (_root, _args, { tenant }) => readChain(tenant, {}),
      }),
    }));
    causalityGraph(builder);
    builder.mutationFields((t) => ({
      ingestAuditEvent: t.field({
        type: event,
        extensions: doing({ pillar: 'accounting', tier: 'write', services: true }),
        description: 'Ingests one event. A repeated idempotencyKey answers the stored event.',
        ...taking(builder, ingestInput(builder), async ({ input }, { tenant }) =>
          flat((await ingest(tenant, input, 'camel')).event),
        ),
      }),
    }));
  };
}
