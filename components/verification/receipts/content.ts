import { canonical, isSealed } from '@steward/audit/chain';
import type { Envelope } from '@steward/audit';

type Json = Readonly<Record<string, unknown>>;

const plain = [
  'type',
  'eventVersion',
  'grammar',
  'grammarDigest',
  'source',
  'sourceSystem',
  'dimensionalTags',
  'occurredAt',
  'causalId',
  'correlationId',
  'idempotencyKey',
  'sourceEventId',
  'payload',
] as const;

/**
 * Members in which a document differs from the event in the log: a receipt signs the row's hash, so the words beside it prove
 * nothing by themselves. Absent members are not judged; only readers of the log can open a value that is sealed there.
 * @param told members in camelCase, as REST or GraphQL answered them
 */
export function contentFaults(told: Json, stored: Envelope): string[] {
  const faults = plain.filter((name) => isSaid(told[name]) && !agrees(told[name], stored[name]));
  const people = {
    principalChain: stored.principalChain.map(pair),
    ingestedBy: pair(stored.ingestedBy),
  };
  for (const [name, known] of Object.entries(people)) {
    const said = told[name];
    if (isSaid(said) && !agrees(Array.isArray(said) ? said.map(pair) : pair(said), known)) faults.push(name as 'type');
  }
  return faults.map((name) => `the event in the log has another ${name}: what stands beside the receipt was changed`);
}

const isSaid = (value: unknown): boolean => value !== undefined && value !== null;

/** Names people by type and id alone, in either spelling. */
function pair(principal: unknown): Json {
  const { principalType, principal_type, principalId, principal_id } = (principal ?? {}) as Json;
  return { principalType: principalType ?? principal_type, principalId: principalId ?? principal_id };
}

function agrees(told: unknown, stored: unknown): boolean {
  if (isSealed(stored)) return true;
  if (typeof told !== 'object' || told === null || typeof stored !== 'object' || stored === null)
    return stored !== undefined && canonical(told) === canonical(stored);
  const [one, other] = [told as Json, stored as Json];
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return Array.isArray(told) === Array.isArray(stored) && [...names].every((name) => agreesAt(one, other, name));
}

const agreesAt = (told: Json, stored: Json, name: string): boolean =>
  Object.hasOwn(told, name) && Object.hasOwn(stored, name) && agrees(told[name], stored[name]);
