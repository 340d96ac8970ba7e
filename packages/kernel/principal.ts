export type PrincipalType = 'user' | 'agent' | 'service' | 'system';

/** One link of a principal chain. `id` is an opaque subject id, never an e-mail address. */
export interface PrincipalRef {
  readonly type: PrincipalType;
  readonly id: string;
}
