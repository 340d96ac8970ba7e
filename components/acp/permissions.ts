import { permit } from '@steward/access';

/** What agents of a brand's door are served: they act for buyers, and no member asks. */
export const serveAgents = permit('acp.serve', ['platform']);
