import { everyone, permit } from '@steward/access';
import type { Identity } from '@steward/identity';
import { newId, Problem, type RecordedEvent } from '@steward/kernel';

export interface RecordPorts {
  readonly identity: Pick<Identity, 'authenticate' | 'context' | 'memberships'>;
  /** The portal's public base URL. */
  readonly portal: string;
}

/** Whoever may come in may be told of. */
const signIn = permit('console.sign_in', everyone);

/** Organizations of one person whose logs are told; somebody has a few. */
const most = 100;

/** @param token of the person, for the portal; @throws Problem `unauthenticated` (401), `unavailable` (503): then it must not be done */
export type RecordSession = (token: string, event: RecordedEvent) => Promise<void>;

/** Records what becomes of a session in the logs of its person's organizations. */
export const createRecordSession =
  ({ identity, portal }: RecordPorts): RecordSession =>
  async (token, event) => {
    const caller = await identity.authenticate(`Bearer ${token}`, [portal]);
    const organizations = await identity.memberships.tenantsOf(caller.subject);
    for (const { tenant } of organizations.slice(0, most)) {
      try {
        const context = identity.context(caller, tenant, { requestId: newId() });
        await context.require(signIn).write(async (tx) => tx.record(event));
      } catch (error) {
        // Somebody who was shut out meanwhile has no business there.
        if (!(error instanceof Problem) || error.status !== 403) throw error;
      }
    }
  };
