import type { TenantContext } from '@steward/sql';
import { sqlState } from '@steward/sql';
import type { FieldError } from '@steward/kernel';
import type { Rule } from '../../grammars/schema.ts';
import type { SubjectKeys } from '../keys/key-store.ts';
import { findPlaces, type Place, replaced } from '../marks/marked-places.ts';
import { sealValue } from './sealed-value.ts';

type Payload = Readonly<Record<string, unknown>>;

/** Sealed values in one event at most: each costs an encryption and some hundred bytes. */
export const maxSealed = 256;

/** The marked places of a payload that passed its schema; none where the schema marks nothing. */
export const placesOf = (rule: Rule, payload: Payload): readonly Place[] =>
  rule.personal.length === 0 ? [] : [...findPlaces(payload, rule.personal)];

export const subjectsOf = (places: readonly Place[]): ReadonlySet<string> =>
  new Set(places.map(({ subject }) => subject));

/** What the schema cannot say about personal data: how many values, and that subjects are searchable text. */
export function faultsOf(places: readonly Place[]): readonly FieldError[] {
  if (places.length > maxSealed)
    return [{ pointer: '/payload', code: 'invalid_length', detail: `Up to ${maxSealed} values may be sealed.` }];
  return places
    .filter(({ subject }) => /\p{Cc}/u.test(subject))
    .slice(0, 20)
    .map(({ pointer }) => ({
      pointer: `/payload${pointer}`.slice(0, 512),
      code: 'invalid_characters',
      detail: 'The id of whom this is about holds a control character.',
    }));
}

/** The payload as it is stored: every marked value replaced by what only its subject's key opens. */
export const sealPlaces = (
  payload: Payload,
  places: readonly Place[],
  keys: SubjectKeys,
  seat: { readonly tenant: TenantContext['tenant']; readonly event: string },
): Payload =>
  places.reduce((whole, { steps, pointer, subject }) => {
    const key = keys.get(subject);
    if (key === undefined) throw new Error('a subject has no key');
    return replaced(whole, steps, (value) => sealValue(key.bytes, key.keyId, { ...seat, pointer }, value));
  }, payload);

/** Whether the database refused an event because a key was erased after it was remembered. */
export const isErasedKey = (error: unknown): boolean => sqlState(error) === 'AU410';

/** Whether outsiders wrote what only sealing may write. `text`: canonical, of the whole event. */
export const claimsToBeSealed = (text: string, payload: Payload): boolean =>
  text.includes('"$sealed":') && hasMember(payload, '$sealed');

function hasMember(value: unknown, name: string): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.hasOwn(value, name) || Object.values(value).some((one) => hasMember(one, name));
}
