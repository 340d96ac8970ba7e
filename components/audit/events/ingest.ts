import { fail as refuse, newId } from '@steward/kernel';
import type { TenantContext } from '@steward/sql';
import { type Admission, type Entry, makeEntry } from '../appending/entry.ts';
import type { AppendRow } from '../appending/statement.ts';
import { storedEvent, type StoredEvent } from '../appending/stored.ts';
import { canonical } from '../chain/canonical.ts';
import { asPrincipal, type Claim } from '../envelope/envelope.ts';
import type { Spelling } from '../envelope/faults.ts';
import { readClaim } from '../envelope/read.ts';
import { fail } from '../errors.ts';
import type { Registry } from '../grammars/registry.ts';
import type { Lane } from '../lane/lane.ts';
import { ingestEvents } from '../policy.ts';
import { isPlatformService } from './platform-service.ts';

export interface Ingested {
  readonly event: StoredEvent;
  /** The key had been used before: this is the event it stands for, and nothing was appended. */
  readonly replayed: boolean;
}

/** Canonical payload bytes at most (contracts §6). */
export const maxPayload = 65_536;

/**
 * Ingests one event of an outside producer: envelope, grammar, reserved types, payload; then one group commit, in which
 * the caller's membership is asked for once more.
 * @throws Problem `invalid_envelope`, `unknown_grammar`, `reserved_event_type` (400), `invalid_payload` (422),
 *   `tenant_forbidden`, `insufficient_role` (403), `unavailable` (503)
 */
export function ingest(registry: Registry, lane: Lane) {
  return async (context: TenantContext, input: unknown, spelling: Spelling): Promise<Ingested> => {
    const admission: Admission = { subject: context.subject, standings: ingestEvents.roles };
    const claim = readClaim(input, {
      spelling,
      mayBeSystem: isPlatformService(context.subject),
      isReserved: registry.isReserved,
    });
    const entry = entryOf(registry, context, claim, admission);
    const row = await lane.submit(entry);
    return { event: storedEvent(entry.envelope, admitted(row)), replayed: row.outcome === 'replayed' };
  };
}

function entryOf(registry: Registry, context: TenantContext, claim: Claim, admission: Admission): Entry {
  if (registry.isReserved(claim.type))
    throw fail(
      'reserved_event_type',
      `${claim.type.slice(0, 200)} is recorded by the platform itself; choose another type.`,
    );
  const rule = registry.resolve(claim.grammar, claim.type, claim.eventVersion);
  if (rule === undefined)
    throw fail(
      'unknown_grammar',
      `There is no grammar ${claim.grammar}: GET /api/audit/grammars lists those there are.`,
    );
  let entry: Entry;
  try {
    entry = makeEntry(
      {
        ...claim,
        tenantId: context.tenant,
        id: newId(),
        grammarDigest: rule.digest,
        ingestedBy: asPrincipal(context.caller),
      },
      admission,
    );
  } catch (cause) {
    throw fail('invalid_envelope', 'The event has no canonical form: a lone surrogate, or a number out of range.', {
      cause,
    });
  }
  if (entry.text.length > maxPayload / 4 && canonicalBytes(claim.payload) > maxPayload)
    throw fail('invalid_envelope', `The payload may have up to ${maxPayload} bytes in canonical form.`, {
      errors: [{ pointer: '/payload', code: 'invalid_length', detail: `Up to ${maxPayload} bytes.` }],
    });
  const faults = rule.check(claim.payload);
  const first = faults[0];
  if (first !== undefined)
    throw fail('invalid_payload', `The payload does not fit its grammar: ${first.pointer}: ${first.detail}`, {
      errors: faults,
    });
  return entry;
}

/** The answer of a flight to a caller whose standing it asked for. */
export function admitted(row: AppendRow): AppendRow {
  if (row.outcome === 'no_chain' || (row.outcome === 'forbidden' && row.standing === null))
    throw refuse('tenant_forbidden', 'You are not a member of this tenant, or there is no such tenant.');
  if (row.outcome === 'forbidden')
    throw refuse('insufficient_role', `The role ${row.standing} does not permit ${ingestEvents.name}.`);
  return row;
}

const canonicalBytes = (payload: unknown): number => Buffer.byteLength(canonical(payload));
