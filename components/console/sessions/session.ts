import type { Place } from '../place.ts';

/** A token for one address. */
export interface AccessToken {
  readonly token: string;
  /** Milliseconds of the epoch. */
  readonly until: number;
}

export type Tokens = Readonly<Partial<Record<Place, AccessToken>>>;

/** What is sealed in a session. */
export interface Sealed {
  readonly name: string | undefined;
  readonly email: string | undefined;
  /** Undefined at an issuer that gives none: the session ends with its tokens. */
  readonly refresh: string | undefined;
  /** With which its issuer is asked to end its own session too (OpenID Connect RP-Initiated Logout 1.0). */
  readonly idToken: string | undefined;
  readonly access: Tokens;
  /** From a login of a moment ago; never renewed. */
  readonly deciding: { readonly until: number; readonly access: Tokens } | undefined;
}

/** Of a person in a browser. */
export interface Session extends Sealed {
  readonly id: string;
  readonly issuer: string;
  readonly subject: string;
  readonly version: number;
  readonly endsAt: Date;
}

/** The most that a session lasts, and how long it may be left alone. */
export const lasts = '24 hours';
export const idle = '8 hours';
