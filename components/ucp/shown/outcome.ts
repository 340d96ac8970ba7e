import { relevant } from '../negotiation/negotiate.ts';
import type { CapabilityName, Version } from '../negotiation/versions.ts';
import type { Message } from './message.ts';

/** An answer of the protocol: the same over every transport. */
export interface Outcome {
  /** Of REST; what is no resource is 200 as well. */
  readonly status: number;
  /** The body as JSON, where somebody has it already. */
  readonly text?: string;
  readonly body: Readonly<Record<string, unknown>>;
  /** It is the answer to an earlier request. */
  readonly replayed?: boolean;
}

/** Where nothing can be shown: what happened instead. */
export const nothing = (version: Version, messages: readonly Message[], continueUrl?: string): Outcome => ({
  status: 200,
  body: {
    ucp: { version, status: 'error' },
    messages,
    ...(continueUrl === undefined ? {} : { continue_url: continueUrl }),
  },
});

/** The first member of every answer that shows something. */
export const envelope = (
  { version, active }: { readonly version: Version; readonly active: ReadonlySet<CapabilityName> },
  about: CapabilityName,
  more: Readonly<Record<string, unknown>> = {},
): Readonly<Record<string, unknown>> => ({
  version,
  status: 'success',
  capabilities: Object.fromEntries(
    relevant(active, about, version).map(({ name, extends: parents }) => [
      name,
      [{ version, ...(parents.length === 0 ? {} : { extends: parents.length === 1 ? parents[0] : parents }) }],
    ]),
  ),
  ...more,
});

/** Nothing was done, for what the agent is told. */
export class Refused extends Error {
  override readonly name = 'Refused';
  readonly messages: readonly Message[];
  constructor(messages: readonly Message[]) {
    super('refused');
    this.messages = messages;
  }
}
