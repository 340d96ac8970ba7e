import type { TenantContext } from '@steward/sql';

/**
 * The context again, where its caller may do at once what the tool of that name asks approval for: a person who could approve
 * it as well, and no policy that takes two.
 * @throws Problem that says what is missing, as deciding on a pending action does
 */
export type Admit = (context: TenantContext, tool: string) => Promise<TenantContext>;

/** How REST keeps to what the tenant's policy says of the tools. */
export interface Doors {
  readonly atOnce: Admit;
  /** For what can be taken back: the context again, unless the policy makes the tool of that name wait for approval. */
  readonly draft: Admit;
}
