import type { TenantContext } from '@steward/sql';

/**
 * The context again, where its caller may do at once what the tool of that name asks approval for: a person who could approve
 * it as well, and no policy that takes two.
 * @throws Problem that says what is missing, as deciding on a pending action does
 */
export type AtOnce = (context: TenantContext, tool: string) => Promise<TenantContext>;
