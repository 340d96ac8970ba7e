import { everyone, permit } from '@steward/access';

/** Connections and deliveries without what was delivered. */
export const readCallbacks = permit('callbacks.read', everyone, 'read');
/** What was delivered, which may name customers. */
export const readBodies = permit('callbacks.read_bodies', ['owner', 'admin', 'accountant', 'developer']);
/** Retrying, replaying, rejecting, pausing. */
export const operateCallbacks = permit('callbacks.operate', ['owner', 'admin', 'developer', 'platform']);
/** Whose events the organization believes. */
export const connectProviders = permit('callbacks.connect', ['owner', 'admin']);
/** The worker’s and the intake’s own. */
export const serveCallbacks = permit('callbacks.serve', ['platform']);
