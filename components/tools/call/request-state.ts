import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Caller } from '@steward/access';
import type { Clock } from '@steward/kernel';
import { codes, ProtocolError } from '../protocol/error.ts';
import { canonicalJson, digest } from './canonical.ts';

/** The call that a state belongs to: presented with any other it is refused. */
export interface StateSubject {
  readonly caller: Caller;
  readonly tenant: string | undefined;
  readonly tool: string;
  readonly args: unknown;
}

export interface RequestStates {
  /** A state for the client to hand back: signed, not secret. */
  seal(subject: StateSubject, remembered: unknown): string;
  /** @throws ProtocolError -32602 for a state that is not ours, not of this call, or too old */
  open(subject: StateSubject, state: string): unknown;
}

/** Time a person has to answer. Milliseconds. */
const lifetime = 15 * 60_000;

/**
 * Keeps what a tool wants to remember between two calls with the client (MCP 2026-07-28, MRTR): HMAC-SHA-256 over the
 * principals, the tenant, the tool, its arguments and the expiry, under a key that all processes share.
 */
export function createRequestStates(key: Uint8Array, clock: Clock): RequestStates {
  const sign = (payload: string): Buffer => createHmac('sha256', key).update(`request-state/v1\n${payload}`).digest();
  return {
    seal: (subject, remembered) => {
      const body = { e: clock() + lifetime, s: subjectDigest(subject), v: remembered ?? null };
      const payload = Buffer.from(JSON.stringify(body)).toString('base64url');
      return `${payload}.${sign(payload).toString('base64url')}`;
    },
    open: (subject, state) => {
      const [payload = '', signature = '', ...rest] = state.split('.');
      const given = Buffer.from(signature, 'base64url');
      const right = sign(payload);
      // Decoding forgives what is not base64url, so the text is compared as well.
      const ours =
        rest.length === 0 &&
        given.length === right.length &&
        timingSafeEqual(given, right) &&
        signature === right.toString('base64url');
      if (!ours) throw refused();
      const { e, s, v } = JSON.parse(Buffer.from(payload, 'base64url').toString()) as {
        e: number;
        s: string;
        v: unknown;
      };
      if (e < clock() || s !== subjectDigest(subject)) throw refused();
      return v;
    },
  };
}

const refused = (): ProtocolError =>
  new ProtocolError(
    400,
    codes.invalidParams,
    'requestState was not issued for this call, or is too old: start the call again without it.',
  );

function subjectDigest({ caller, tenant, tool, args }: StateSubject): string {
  const { subject, principal } = caller;
  return digest(
    canonicalJson([subject.type, subject.id, principal.type, principal.id, tenant ?? null, tool, args ?? {}]),
  );
}
