import type { GraphModule } from '@steward/graphql';
import { doing, taking, weigh } from '@steward/graphql/field';
import { isId } from '@steward/kernel';
import type { TenantContext } from '@steward/sql';
import { z } from 'zod';
import type { StoredEvent } from '../appending/stored.ts';
import { causalityGraph } from '../causality/graph.ts';
import { readChain, type Chain } from '../chains/head.ts';
import type { Envelope } from '../envelope/envelope.ts';
import type { Open } from '../personal/values/open-events.ts';
import type { Receipt, Sign } from '../receipts/receipt.ts';
import type { Ingested } from './ingest.ts';
import { identifier } from './filter.ts';
import { graphFilter, graphFilterWords } from './graph-filter.ts';
import { ingestInput } from './graph-input.ts';
import { principalObject } from './graph-principal.ts';
import { findEvent, listEvents } from './list.ts';
import type { NamesOf } from './names.ts';

export interface GraphDoors {
  readonly ingest: (context: TenantContext, input: unknown, spelling: 'camel') => Promise<Ingested>;
  readonly sign: Sign;
  readonly open: Open;
  readonly namesOf: NamesOf;
}

/** Flat, so that most fields are read without a call. */
interface AuditEvent extends Envelope, Omit<StoredEvent, 'envelope'> {
  readonly stored: StoredEvent;
}

const flat = (stored: StoredEvent): AuditEvent => ({ ...stored.envelope, ...stored, stored });

/** The audit log in the GraphQL API: the same verbs as REST's. */
export function auditGraph({ ingest, sign, open, namesOf }: GraphDoors): GraphModule {
  return (builder) => {
    const principal = principalObject(builder, namesOf);
    const receipt = builder.objectRef<Receipt>('AuditReceipt').implement({
      description: 'An Ed25519 signature over tenant, id, sequence, row hash and receivedAt.',
      fields: (t) => ({
        format: t.exposeString('format'),
        keyId: t.exposeString('keyId'),
        signature: t.exposeString('signature', { description: 'base64url' }),
      }),
    });
    const event = builder.objectRef<AuditEvent>('AuditEvent').implement({
      description: 'An event in the chain of the tenant.',
      fields: (t) => ({
        id: t.exposeID('id'),
        type: t.exposeString('type'),
        eventVersion: t.exposeString('eventVersion'),
        grammar: t.exposeString('grammar'),
        grammarDigest: t.exposeString('grammarDigest', {
          description: 'SHA-256 of the schema that the payload was checked against.',
        }),
        source: t.exposeString('source'),
        sourceSystem: t.exposeString('sourceSystem', { nullable: true }),
        payload: t.expose('payload', { type: 'JSON' }),
        dimensionalTags: t.expose('dimensionalTags', { type: 'JSON', nullable: true }),
        principalChain: t.expose('principalChain', { type: [principal], extensions: weigh({ size: 4 }) }),
        ingestedBy: t.expose('ingestedBy', { type: principal }),
        occurredAt: t.expose('occurredAt', { type: 'DateTime' }),
        receivedAt: t.expose('receivedAt', { type: 'DateTime' }),
        causalId: t.exposeString('causalId', { nullable: true }),
        correlationId: t.exposeString('correlationId', { nullable: true }),
        idempotencyKey: t.exposeString('idempotencyKey', { nullable: true }),
        sourceEventId: t.exposeString('sourceEventId', { nullable: true }),
        sequence: t.expose('sequence', { type: 'BigInt' }),
        rowHash: t.exposeString('rowHash'),
        prevHash: t.exposeString('prevHash'),
        receipt: t.field({
          type: receipt,
          nullable: true,
          description: 'Signed on request; null while this server has no registered key.',
          extensions: weigh({ cost: 5 }),
          resolve: async ({ stored }) => sign(stored),
        }),
      }),
    });
    const head = builder.objectRef<NonNullable<Chain['head']>>('AuditChainHead').implement({
      fields: (t) => ({
        sequence: t.expose('sequence', { type: 'BigInt' }),
        rowHash: t.exposeString('rowHash'),
        receivedAt: t.expose('receivedAt', { type: 'DateTime' }),
      }),
    });
    const chain = builder.objectRef<Chain>('AuditChain').implement({
      description: "The head of the tenant's chain.",
      fields: (t) => ({
        tenantId: t.exposeID('tenantId'),
        genesis: t.exposeString('genesis'),
        head: t.expose('head', { type: head, nullable: true }),
        sealedThrough: t.exposeString('sealedThrough', { nullable: true, description: 'The last sealed UTC day.' }),
      }),
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
          async ({ limit, ...filter }, { tenant }) =>
            (await open(tenant, await listEvents(tenant, filter, { limit }))).map(flat),
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
        type: chain,
        resolve: async (_root, _args, { tenant }) => readChain(tenant),
      }),
    }));
    causalityGraph(builder, principal);
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
