import { fail as refuse, newId } from '@steward/kernel';
import { changed, type TenantContext, underDecision } from '@steward/sql';
import { type Admission, type Entry, makeEntry } from '../appending/entry.ts';
import type { AppendRow } from '../appending/statement.ts';
import { storedEvent, type StoredEvent } from '../appending/stored.ts';
import { canonical } from '../chain/canonical.ts';
import { asPrincipal, type Claim } from '../envelope/envelope.ts';
import type { Spelling } from '../envelope/faults.ts';
import { readClaim } from '../envelope/read.ts';
import { fail } from '../errors.ts';
import type { Registry } from '../grammars/registry.ts';
import { retryAfter } from '../group-commit/flush.ts';
import type { GroupCommit } from '../group-commit/group-commit.ts';
import type { KeyStore } from '../personal/keys/key-store.ts';
import type { Open } from '../personal/values/open-events.ts';
import {
  claimsToBeSealed,
  faultsOf,
  isErasedKey,
  placesOf,
  sealPlaces,
  subjectsOf,
} from '../personal/values/seal-places.ts';
import type { Place } from '../personal/marks/marked-places.ts';
import { ingestEvents } from '../policy.ts';
import { isPlatformService } from './platform-service.ts';

export interface Ingested {
  readonly event: StoredEvent;
  /** The key was used before: this is its event, and nothing was appended. */
  readonly replayed: boolean;
}

export interface IngestPorts {
  readonly registry: Registry;
  readonly groupCommit: GroupCommit;
  readonly keys: KeyStore;
  readonly open: Open;
}

/** Each that fails was overtaken by an erasure of its own. */
const maxAttempts = 20;

/** Canonical payload bytes at most (contracts §6). */
export const maxPayload = 65_536;

/**
 * Ingests one event of an outside producer: envelope, grammar, reserved types, payload; then one group commit, in which
 * the caller's membership is asked for once more.
 * @throws Problem `invalid_envelope`, `unknown_grammar`, `reserved_event_type` (400), `invalid_payload` (422),
 *   `idempotency_conflict` (409) where another principal has used the key,
 *   `tenant_forbidden`, `insufficient_role` (403), `unavailable`, `outcome_unknown`, `master_key_missing` (503)
 */
export function ingest({ registry, groupCommit, keys, open }: IngestPorts) {
  return async (context: TenantContext, input: unknown, spelling: Spelling): Promise<Ingested> => {
    context.spend('events', 1);
    const admission: Admission = { subject: context.subject, roles: ingestEvents.roles };
    const claim = readClaim(input, {
      spelling,
      mayBeSystem: isPlatformService(context.subject),
      isReserved: registry.isReserved,
    });
    const { entry, places } = entryOf(registry, context, claim, admission);
    const row = await underDecision(context.decision, async (under) => {
      const entered = { ...entry, admission: { ...admission, under } };
      const answer =
        places.length === 0 ? await groupCommit.submit(entered) : await submitSealed(entered, places, context);
      return answer.standing === changed ? undefined : answer;
    });
    // A new event is answered as it was sent; what is stored under a repeated key is opened as for any reader.
    const event = storedEvent(entry.envelope, admitted(row));
    if (row.outcome !== 'replayed') return { event: { ...event, envelope: entry.envelope }, replayed: false };
    // A key is in one principal's hands: what somebody else stored under it is not for who guesses it to read.
    const { principalType, principalId } = event.envelope.ingestedBy;
    const { caller } = context;
    if (principalType !== caller.type || principalId !== caller.id)
      throw refuse('idempotency_conflict', 'Another principal has used this idempotency key: choose another key.');
    const [opened = event] = await open(context, [event]);
    return { event: opened, replayed: true };
  };

  /** Where a key was erased after this process remembered it, the database refuses, and a new key seals. */
  async function submitSealed(entry: Entry, places: readonly Place[], context: TenantContext): Promise<AppendRow> {
    const { envelope, admission } = entry;
    const { tenant } = context;
    const subjects = subjectsOf(places);
    for (let attempt = 1; ; attempt += 1) {
      const payload = sealPlaces(envelope.payload, places, await keys.forIngest(context, subjects), {
        tenant,
        event: envelope.id,
      });
      try {
        return await groupCommit.submit(makeEntry({ ...envelope, payload }, admission));
      } catch (error) {
        if (!isErasedKey(error)) throw error;
        keys.forget(tenant, subjects);
        if (attempt === maxAttempts)
          throw refuse(
            'unavailable',
            'The personal data of a subject of this event is being erased at this moment: try again.',
            {
              headers: retryAfter,
              cause: error,
            },
          );
      }
    }
  }
}

interface Prepared {
  /** As it was sent. */
  readonly entry: Entry;
  /** What must be sealed in it before it is stored. */
  readonly places: readonly Place[];
}

function entryOf(registry: Registry, context: TenantContext, claim: Claim, admission: Admission): Prepared {
  if (registry.isReserved(claim.type))
    throw fail(
      'reserved_event_type',
      `Only the server itself records ${claim.type.slice(0, 200)}: choose another type.`,
    );
  const rule = registry.resolve(claim.grammar, claim.type, claim.eventVersion);
  if (rule === undefined)
    throw fail('unknown_grammar', `There is no grammar ${claim.grammar}: GET /api/audit/grammars lists the grammars.`);
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
    throw fail(
      'invalid_envelope',
      'The event has no canonical form: remove a lone surrogate, or a number out of range.',
      {
        cause,
      },
    );
  }
  if (entry.text.length > maxPayload / 4 && canonicalBytes(claim.payload) > maxPayload)
    throw fail('invalid_envelope', `The payload is too large: send at most ${maxPayload} bytes in canonical form.`, {
      errors: [{ pointer: '/payload', code: 'invalid_length', detail: `Give at most ${maxPayload} bytes.` }],
    });
  if (claimsToBeSealed(entry.text, claim.payload))
    throw fail('invalid_payload', 'A payload cannot have a member named $sealed: the server seals values itself.', {
      errors: [{ pointer: '/payload', code: 'invalid_value', detail: 'Choose another name than $sealed.' }],
    });
  const unfit = rule.check(claim.payload);
  const places = unfit.length > 0 ? [] : placesOf(rule, claim.payload);
  const faults = unfit.length > 0 ? unfit : faultsOf(places);
  const first = faults[0];
  if (first !== undefined)
    throw fail('invalid_payload', `The payload does not fit its grammar: ${first.pointer}: ${first.detail}`, {
      errors: faults,
    });
  return { entry, places };
}

/** The answer of a batch of statements to a caller whose role it asked for. */
export function admitted(row: AppendRow): AppendRow {
  if (row.outcome === 'no_chain' || (row.outcome === 'forbidden' && row.standing === null))
    throw refuse('tenant_forbidden', 'You are not a member of this tenant, or there is no such tenant.');
  if (row.outcome === 'forbidden')
    throw refuse('insufficient_role', `The role ${row.standing} does not permit ${ingestEvents.name}.`);
  return row;
}

const canonicalBytes = (payload: unknown): number => Buffer.byteLength(canonical(payload));
