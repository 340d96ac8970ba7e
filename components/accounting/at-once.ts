import type { TenantContext } from '@steward/sql';

/**
 * The context again, where its caller may change the books without asking: a person who could approve the change as well.
 * An agent, whatever token it was given, asks through the tools.
 * Nor does anybody do so alone where the tenant's policy has two people, or a limit, for the tool of that name.
 * @throws Problem that says what is missing, as deciding on a pending action does
 */
export type AtOnce = (context: TenantContext, tool: string) => Promise<TenantContext>;

/**
 * The context again, for what takes effect at once and can be taken back, a draft; where the tenant's policy makes the tool of
 * that name wait for approval, as `AtOnce`.
 */
export type Draft = AtOnce;

/** @throws Problem unless the caller is a person who could decide on pending actions, with a login just made */
export type Decider = (context: TenantContext) => void;
