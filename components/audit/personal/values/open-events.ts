import { isId, jsonPointer, type Log, Problem } from '@steward/kernel';
import { sql, type TenantContext } from '@steward/sql';
import type { StoredEvent } from '../../appending/stored.ts';
import type { Registry } from '../../grammars/registry.ts';
import { readEvents } from '../../policy.ts';
import type { MasterKeys } from '../keys/master-key.ts';
import { replaced } from '../marks/marked-places.ts';
import { isSealed, openValue, type SealedValue } from './sealed-value.ts';
import { type SubjectKey, unwrap, type WrappedKey } from '../keys/subject-key.ts';

export interface OpenerDeps {
  readonly registry: Registry;
  readonly masterKeys: () => Promise<MasterKeys>;
  readonly log: Log;
}

/** Opens personal values for a member who may read the log. */
export type Open = <T extends StoredEvent>(context: TenantContext, events: readonly T[]) => Promise<readonly T[]>;

const erased = Object.freeze({ $erased: true });

/**
 * Keys are read after the events, so that nothing opens whose erasure was committed before the answer. An erased value
 * reads `{"$erased": true}`; one that does not open (moved by other hands, or its master key is not here) stays sealed.
 */
export function opener({ registry, masterKeys, log }: OpenerDeps): Open {
  return async (context, events) => {
    const sealed = events.map(({ envelope }) =>
      registry.sealsNothing(envelope.grammarDigest) ? [] : [...findSealed(envelope.payload, [])],
    );
    const ids = new Set(sealed.flat().map(({ value }) => value.key));
    if (ids.size === 0) return events;
    const rows = await context.require(readEvents).read<WrappedKey>(sql`
      select k.* from unnest(${[...ids].filter(isId)}::uuid[]) as wanted (key_id)
      cross join lateral (select key_id, master, wrapped from audit.subject_key
        where tenant_id = ${context.tenant} and key_id = wanted.key_id limit 1) k`);
    const masters = await masterKeys();
    const keys = new Map(rows.map((row) => [row.key_id, keyOf(masters, context.tenant, row, log)]));
    return events.map((event, index) => openEvent(event, context.tenant, sealed[index] ?? [], keys));
  };
}

type Key = SubjectKey | 'erased' | 'unreadable';

function keyOf(masters: MasterKeys, tenant: string, row: WrappedKey, log: Log): Key {
  try {
    return unwrap(masters, tenant, row) ?? 'erased';
  } catch (error) {
    log.error({ tenant, key: row.key_id, err: error instanceof Problem ? error.detail : error }, 'a key does not open');
    return 'unreadable';
  }
}

function openEvent<T extends StoredEvent>(
  event: T,
  tenant: string,
  sealed: readonly Found[],
  keys: ReadonlyMap<string, Key>,
): T {
  const { envelope } = event;
  const payload = sealed.reduce((whole, { steps, value }) => {
    const key = keys.get(value.key) ?? 'unreadable';
    if (key === 'unreadable') return whole;
    if (key === 'erased') return replaced(whole, steps, () => erased);
    const opened = openValue(key.bytes, { tenant, event: envelope.id, pointer: jsonPointer(steps) }, value);
    return opened === undefined ? whole : replaced(whole, steps, () => opened.value);
  }, envelope.payload);
  return payload === envelope.payload ? event : { ...event, envelope: { ...envelope, payload } };
}

interface Found {
  readonly steps: readonly string[];
  readonly value: SealedValue;
}

function* findSealed(value: unknown, steps: readonly string[]): Generator<Found> {
  if (typeof value !== 'object' || value === null) return;
  if (isSealed(value)) yield { steps, value };
  else for (const [step, one] of Object.entries(value)) yield* findSealed(one, [...steps, step]);
}
