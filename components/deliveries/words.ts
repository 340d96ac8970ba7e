export const orderings = ['subject', 'parallel'] as const;
/** What a webhook of the organization may sign by. */
export const ownSignings = ['hmac', 'ed25519'] as const;
/** What there is a secret of; `merchant`: to a shopping agent, as the Agentic Commerce Protocol says. */
export const secretSignings = [...ownSignings, 'merchant'] as const;
/** `rfc9421`: to a shopping agent, by the key of the brand. */
export const signings = [...secretSignings, 'rfc9421'] as const;
export const statuses = ['active', 'paused', 'disabled'] as const;
export const reasons = [
  'secret_missing',
  'member',
  'failing',
  'gone',
  'abandoned',
  'client_shut_out',
  'shut_out_stopped',
] as const;
export const states = ['pending', 'delivered', 'failed'] as const;

export type SecretSigning = (typeof secretSignings)[number];
export type Signing = (typeof signings)[number];
export type Reason = (typeof reasons)[number];

/** The event of a test, which goes to one webhook alone. */
export const tested = 'deliveries.endpoint.tested';

/** Why a webhook does not send, for people. */
export const because: Readonly<Record<Reason, string>> = {
  secret_missing: 'nobody has its secret yet',
  member: 'a member paused it',
  failing: 'its address failed for three days',
  gone: 'its address answered 410 Gone',
  abandoned: 'it was paused for thirty days',
  client_shut_out: 'the client that it was made through was shut out',
  shut_out_stopped: 'the client that it was made through was shut out, and it had stopped before',
};

/** Its client was shut out, and it was sending then, or had stopped before. */
export const shutOut: readonly Reason[] = ['client_shut_out', 'shut_out_stopped'];
