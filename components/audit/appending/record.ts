import { newId, type Clock, type RecordedEvent, timestamp } from '@steward/kernel';
import type { Admission as Admitted, Attributed, TenantTransaction, Transaction } from '@steward/sql';
import { type Admission, type Entry, makeEntry } from './entry.ts';
import { recordStatement, recordTogetherStatement } from './statement.ts';
import { asPrincipal } from '../envelope/envelope.ts';
import { readClaim } from '../envelope/read.ts';
import type { Registry } from '../grammars/registry.ts';
import type { KeyStore, SubjectKeys } from '../personal/keys/key-store.ts';
import { claimsToBeSealed, faultsOf, placesOf, sealPlaces, subjectsOf } from '../personal/values/seal-places.ts';

/** The sink of a tenancy: appends what a verb recorded, with the commit of its transaction. */
export function record(registry: Registry, clock: Clock, keys: KeyStore) {
  return async (tx: TenantTransaction, events: readonly RecordedEvent[]): Promise<void> => {
    const sealing = await keys.forVerb(tx, subjectsOfAll(registry, events));
    const entries = events.map((event) => ownEntry(registry, clock, tx.context, event, { keys: sealing }));
    tx.later(recordStatement(entries));
  };
}

/**
 * The same for transactions that tenants share.
 * @throws Error for an event with personal data: its key is made and held in a transaction of its own tenant
 */
export function recordTogether(registry: Registry, clock: Clock) {
  return (tx: Transaction, events: readonly Attributed<RecordedEvent>[]): void => {
    const entries = events.map(({ of, ...event }) => ownEntry(registry, clock, of, event));
    tx.later(recordTogetherStatement(entries.toSorted(byTenant)));
  };
}

/** Stable: the events of one tenant stay in their order. */
const byTenant = (one: Entry, other: Entry): number => {
  const [a, b] = [one.envelope.tenantId, other.envelope.tenantId];
  return a < b ? -1 : a > b ? 1 : 0;
};

/** Of the events that fit their grammar; the maker of the entry reports a fault. */
function subjectsOfAll(registry: Registry, events: readonly RecordedEvent[]): ReadonlySet<string> {
  const subjects = events.flatMap(({ grammar, type, eventVersion, payload }) => {
    const rule = registry.resolve(grammar, type, eventVersion);
    const fits = rule !== undefined && rule.personal.length > 0 && rule.check(payload).length === 0;
    return fits ? [...subjectsOf(placesOf(rule, payload))] : [];
  });
  return new Set(subjects);
}

/** What is only there for some events of our own. */
export interface OwnOptions {
  readonly admission?: Admission;
  /** Of the subjects whose personal data the event holds. */
  readonly keys?: SubjectKeys;
}

/**
 * An event of our own. The same rules apply as to any event, but a fault is ours: it fails the verb and is logged.
 * @throws Error naming the type and the faults
 */
export function ownEntry(
  registry: Registry,
  clock: Clock,
  context: Admitted,
  event: RecordedEvent,
  { admission, keys = new Map() }: OwnOptions = {},
): Entry {
  const { id = newId(), takesPeople: _decided, ...rest } = event;
  const claim = {
    ...rest,
    ...(context.client === undefined ? {} : { dimensionalTags: { ...event.dimensionalTags, client: context.client } }),
    causalId: event.causalId ?? context.causalId,
    correlationId: event.correlationId ?? context.correlationId,
    principalChain: context.chain.map(asPrincipal),
    occurredAt: timestamp(event.occurredAt ?? context.happenedAt ?? clock()),
  };
  const rule = registry.resolve(event.grammar, event.type, event.eventVersion);
  if (rule === undefined)
    throw new Error(`${event.type} is recorded under ${event.grammar}, which is no registered grammar`);
  const unfit = rule.check(event.payload);
  const places = unfit.length > 0 ? [] : placesOf(rule, event.payload);
  const faults = unfit.length > 0 ? unfit : faultsOf(places);
  if (faults.length > 0) throw new Error(`${event.type} does not fit its grammar: ${JSON.stringify(faults)}`);
  const read = readClaim(claim, { spelling: 'camel', mayBeSystem: true, isReserved: () => false });
  const entry = makeEntry(
    {
      ...read,
      payload: sealPlaces(read.payload, places, keys, { tenant: context.tenant, event: id }),
      tenantId: context.tenant,
      id,
      grammarDigest: rule.digest,
      ingestedBy: asPrincipal(context.caller),
    },
    admission,
  );
  if (claimsToBeSealed(entry.text, event.payload))
    throw new Error(`${event.type} has a member named $sealed, which only sealing may write`);
  return entry;
}
