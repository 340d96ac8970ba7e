import type { CallerRole } from '@steward/access';
import type { PrincipalRef } from '@steward/kernel';
import { canonical } from '../chain/canonical.ts';
import { eventHash } from '../chain/event-hash.ts';
import type { Envelope, Principal } from '../envelope/envelope.ts';

/** An event ready for its chain: all that the database is handed, computed before any lock is taken. */
export interface Entry {
  readonly envelope: Envelope;
  /** RFC 8785 text of the envelope. */
  readonly text: string;
  /** Lower-case hex. */
  readonly hash: string;
  readonly principals: string;
  /** Whose membership the database asks for in the appending transaction; undefined where the door has done so. */
  readonly admission: Admission | undefined;
}

export interface Admission {
  readonly subject: PrincipalRef;
  readonly roles: ReadonlySet<CallerRole>;
  /** The access version under which the subject was let in; undefined where only the role counts. */
  readonly under?: bigint | undefined;
}

/** @throws Error when a string holds a lone surrogate or a number is not finite */
export function makeEntry(envelope: Envelope, admission?: Admission): Entry {
  const text = canonical(envelope);
  return {
    envelope,
    text,
    hash: eventHash(text),
    principals: arrayLiteral(envelope.principalChain.map(searchName)),
    admission,
  };
}

/** How the search column names a principal. */
export const searchName = ({ principalType, principalId }: Principal): string => `${principalType}:${principalId}`;

/** From `searchName`: no type holds a colon, ids may. */
export function principalOf(name: string): Principal {
  const colon = name.indexOf(':');
  return { principalType: name.slice(0, colon) as Principal['principalType'], principalId: name.slice(colon + 1) };
}

/** PostgreSQL's text form of an array: it cannot unnest arrays of arrays row by row, so each travels as a text. */
export const arrayLiteral = (values: readonly string[]): string =>
  `{${values.map((value) => `"${value.replace(/["\\]/g, '\\$&')}"`).join(',')}}`;
