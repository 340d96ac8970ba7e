import { newId, type Clock, type RecordedEvent, timestamp } from '@steward/kernel';
import type { TenantContext, TenantTransaction } from '@steward/sql';
import { type Admission, type Entry, makeEntry } from '../appending/entry.ts';
import { type AppendRow, appendStatement } from '../appending/statement.ts';
import { asPrincipal } from '../envelope/envelope.ts';
import { readClaim } from '../envelope/read.ts';
import type { Registry } from '../grammars/registry.ts';

/** The sink of a tenancy: appends what a verb recorded, as the last statement of its transaction. */
export function record(registry: Registry, clock: Clock) {
  return async (tx: TenantTransaction, events: readonly RecordedEvent[]): Promise<void> => {
    const entries = events.map((event) => ownEntry(registry, clock, tx.context, event));
    const rows = await tx.query<AppendRow>(appendStatement('tenant', entries));
    const refused = rows.find(({ outcome }) => outcome !== 'appended');
    if (refused?.outcome === 'no_chain')
      throw new Error(`tenant ${tx.context.tenant} has no audit chain: provision opens it before anything is recorded`);
    if (refused !== undefined) throw new Error(`the audit chain answered ${refused.outcome} to a verb's own event`);
  };
}

/**
 * An event of our own. Held to the same rules as anybody's, but a fault is ours: it fails the verb and is logged.
 * @throws Error naming the type and the faults
 */
export function ownEntry(
  registry: Registry,
  clock: Clock,
  context: TenantContext,
  event: RecordedEvent,
  admission?: Admission,
): Entry {
  const { id = newId(), ...rest } = event;
  const claim = {
    ...rest,
    causalId: event.causalId ?? context.causalId,
    correlationId: event.correlationId ?? context.correlationId,
    principalChain: context.chain.map(asPrincipal),
    occurredAt: timestamp(clock()),
  };
  const rule = registry.resolve(event.grammar, event.type, event.eventVersion);
  if (rule === undefined)
    throw new Error(`${event.type} is recorded under ${event.grammar}, which is no registered grammar`);
  const faults = rule.check(event.payload);
  if (faults.length > 0) throw new Error(`${event.type} does not fit its grammar: ${JSON.stringify(faults)}`);
  const read = readClaim(claim, { spelling: 'camel', mayBeSystem: true, isReserved: () => false });
  return makeEntry(
    {
      ...read,
      tenantId: context.tenant,
      id,
      grammarDigest: rule.digest,
      ingestedBy: asPrincipal(context.caller),
    },
    admission,
  );
}
