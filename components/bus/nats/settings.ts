/** Where events go, for other systems to follow. */
export interface NatsSettings {
  readonly servers: readonly string[];
  readonly credentials: { readonly user: string; readonly password: string } | { readonly token: string } | undefined;
  /** Of a stream that is made; one that exists keeps what it has. */
  readonly replicas: number;
  /** Other than the usual, where several instances share a server. */
  readonly stream?: string;
  readonly prefix?: string;
}

export const usualStream = 'STEWARD_EVENTS';
export const usualPrefix = 'steward.events';
