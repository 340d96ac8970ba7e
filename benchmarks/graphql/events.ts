import { permit } from '@steward/access';
import type { GraphModule } from '@steward/graphql';
import { taking, weigh } from '@steward/graphql/field';
import { newId } from '@steward/kernel';
import { sql, type TenantContext } from '@steward/sql';
import { z } from 'zod';

interface Principal {
  readonly principalType: string;
  readonly principalId: string;
}

interface Event {
  readonly id: string;
  readonly type: string;
  readonly eventVersion: string;
  readonly grammar: string;
  readonly source: string;
  readonly principalChain: readonly Principal[];
  readonly occurredAt: string;
  readonly causalId?: string;
  readonly correlationId: string;
}

export const someEvents = (count: number): Event[] =>
  Array.from({ length: count }, (_, index) => ({
    id: newId(),
    type: 'commerce.order.imported',
    eventVersion: '1.0.0',
    grammar: 'commerce',
    source: 'commerce',
    principalChain: [
      { principalType: 'user', principalId: 'alice' },
      { principalType: 'agent', principalId: 'assistant-1' },
    ],
    occurredAt: new Date(Date.UTC(2026, 10, 20, 8, 30, index % 60)).toISOString(),
    correlationId: newId(),
  }));

export type Source = (tenant: TenantContext, limit: number) => Promise<readonly Event[]>;

export function fromMemory(): Source {
  const events = someEvents(100);
  return async (_tenant, limit) => events.slice(0, limit);
}

const readEvents = permit('bench.read', ['owner']);

/** As the audit log keeps them: the event is one text, whose copies in columns are for searching only. */
export const fromDatabase: Source = async (tenant, limit) => {
  const rows = await tenant
    .require(readEvents)
    .read<{ event: string }>(sql`select event from bench.event order by sequence desc limit ${limit}`);
  return rows.map(({ event }) => JSON.parse(event) as Event);
};

/** `auditEvents` with the fields that the contract shows. */
export const eventsModule =
  (source: Source): GraphModule =>
  (builder) => {
    const principal = builder.objectRef<Principal>('AuditPrincipal').implement({
      fields: (t) => ({ principalType: t.exposeString('principalType'), principalId: t.exposeString('principalId') }),
    });
    const event = builder.objectRef<Event>('AuditEvent').implement({
      fields: (t) => ({
        id: t.exposeID('id'),
        type: t.exposeString('type'),
        eventVersion: t.exposeString('eventVersion'),
        grammar: t.exposeString('grammar'),
        source: t.exposeString('source'),
        principalChain: t.expose('principalChain', { type: [principal], extensions: weigh({ size: 4 }) }),
        occurredAt: t.expose('occurredAt', { type: 'DateTime' }),
        causalId: t.exposeString('causalId', { nullable: true }),
        correlationId: t.exposeString('correlationId', { nullable: true }),
      }),
    });
    builder.queryField('auditEvents', (t) =>
      t.field({
        type: [event],
        ...taking(
          builder,
          z.strictObject({ limit: z.int().min(1).max(500).default(50) }),
          async ({ limit }, { tenant }) => source(tenant, limit),
        ),
      }),
    );
    builder.mutationField('nothing', (t) => t.boolean({ resolve: () => false }));
  };
