import type { PrincipalRef } from '@steward/kernel';

/** One link of a chain as it is hashed: exactly these two members. */
export interface Principal {
  readonly principalType: PrincipalRef['type'];
  readonly principalId: string;
}

/** What an event says about itself; the part of the envelope that its producer chooses. */
export interface Claim {
  readonly type: string;
  readonly eventVersion: string;
  readonly grammar: string;
  readonly source: string;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly principalChain: readonly Principal[];
  /** RFC 3339, UTC, milliseconds, `Z`. */
  readonly occurredAt: string;
  readonly dimensionalTags?: Readonly<Record<string, string>> | undefined;
  readonly sourceSystem?: string | undefined;
  readonly causalId?: string | undefined;
  readonly correlationId?: string | undefined;
  readonly idempotencyKey?: string | undefined;
  readonly sourceEventId?: string | undefined;
}

/** What is hashed and kept for ever (contracts §6). Absent members are left out of the text. */
export interface Envelope extends Claim {
  readonly tenantId: string;
  readonly id: string;
  /** SHA-256 of the canonical schema that checked the payload, lower-case hex. */
  readonly grammarDigest: string;
  /** The authenticated principal itself, whatever the chain claims. */
  readonly ingestedBy: Principal;
}

export const asPrincipal = ({ type, id }: PrincipalRef): Principal => ({ principalType: type, principalId: id });
