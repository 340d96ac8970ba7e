import type { GuardedText } from './guarded-text.ts';

/** A request of a provider, before anything of it is trusted. */
export interface Arrived {
  /** As it came, at most 2 MiB, before any parser. */
  readonly body: Buffer;
  /** By lower-case name. A header that came several times is undefined: no scheme has one. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** The address as it is registered at the provider: public base, path and query. Some schemes sign it. */
  readonly url: string;
  /** Milliseconds since the epoch. */
  readonly receivedAt: number;
}

/** What a signature covers. Of what it does not cover, nothing changes any state before it was fetched from the provider. */
export type Coverage = 'body' | 'fields' | 'none';

/** What one of the live secrets of a connection or deployment is checked with. */
export interface Credentials {
  /** Signs or verifies what arrives. */
  readonly secret: string;
  /** What is no secret and belongs to the scheme, by the names of `Adapter.settings`: a webhook's id, a client id. */
  readonly settings: Readonly<Record<string, string>>;
}

/** One event in what arrived. */
export interface Item {
  /** Of this delivery, as the provider names it; the same in its retries. 1–200 characters. */
  readonly deliveryId: string;
  /** Of the event, where that is another: several deliveries of one event have the same. */
  readonly eventId: string;
  /** Whose account at the provider it is about; null where the scheme does not say. */
  readonly account: string | null;
  /** The provider's own name of what happened. */
  readonly topic: string;
  /** Null where the scheme has no modes. */
  readonly live: boolean | null;
  /** What happens to the same resource is carried out in order; null: in any order. 1–200 characters. */
  readonly resource: string | null;
  /** When the provider says that it happened: RFC 3339 in UTC with milliseconds; null where it does not say. */
  readonly occurredAt: string | null;
  /** What of the body its signature covers, where that is not the whole body: what comes under the same id with the same is the same delivery. */
  readonly signed?: string | Uint8Array;
  /** The event itself, parsed. Of coverage `fields`, what is signed; of `none`, whatever says what to fetch. */
  readonly data: Readonly<Record<string, unknown>>;
}

export interface AdapterPorts {
  /** Keys and certificates of providers, from hosts that the adapter names. */
  readonly fetchText: GuardedText;
}

/**
 * A provider's scheme: how its requests are recognised, whose they are, whether they are genuine, and what they say. It holds
 * nothing and knows no tenant. Its `rules` are shown to operators, and are the table that the guide is made of.
 */
export interface Adapter {
  /** Lower case, such as `stripe`. */
  readonly name: string;
  readonly coverage: Coverage;
  readonly rules: {
    /** Headers that carry the signature. */
    readonly headers: readonly string[];
    /** What is signed, and how. */
    readonly signed: string;
    /** Seconds that a signed time may be old, and ahead of our clock as long or five minutes; null where none is signed. */
    readonly window: number | null;
    /** What makes two deliveries one. */
    readonly dedupe: string;
    /** Where the provider says so. */
    readonly source: string;
    /** What the provider's pages leave open, and what is done about it. */
    readonly unsure?: string;
  };
  /** What the secret is, in the provider's words; undefined where nothing secret is needed to verify. */
  readonly secret?: string;
  /** How the secret is written, where the provider says so: what is not written so would refuse every request. */
  readonly secretForm?: RegExp;
  /** Whoever made the webhook chose the secret, which may be of any letters: it only signs, and is sent nowhere. */
  readonly isChosen?: true;
  /** Settings that `verify` needs beside the secret, by name, with what they are. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Names of those of them without which nothing is genuine. */
  readonly needs?: readonly string[];
  /** Each event says whose account it is about: one that does not is of no connection that names an account. */
  readonly namesAccount?: true;
  /** Whether the headers are of this scheme, where a route takes several. */
  recognises(arrived: Arrived): boolean;
  /** Whose account it claims to be about, unverified, so that secrets can be found; undefined where it does not say or is unreadable. It must not throw. */
  hint(arrived: Arrived): string | undefined;
  /**
   * In constant time, and with a length guard: a signature of any length is answered.
   * @throws Problem `callback_malformed` (400) where the headers are not of the scheme's form; `callback_unverified` (401) where a signed time is stale or in the future
   */
  verify(arrived: Arrived, credentials: Credentials, ports: AdapterPorts): boolean | Promise<boolean>;
  /**
   * What it says, once it is verified.
   * @throws Problem `callback_malformed` (400)
   */
  read(arrived: Arrived): readonly Item[];
  /** Of a body that holds what nobody may keep in clear, such as numbers of taxpayers: the body without it, of which `read` reads the same. */
  kept?(body: Buffer): Buffer;
  /** What a provider asks for before it sends anything, answered without any effect: Braintree's challenge, TaxBandits' sample. Undefined where it is none. */
  handshake?(
    arrived: Arrived,
    credentials: Credentials,
  ): { readonly status: number; readonly text: string } | undefined;
  /** Whether the handshake is a GET, for which the route needs one. */
  readonly handshakeByGet?: true;
}
