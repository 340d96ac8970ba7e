import { permit } from '@steward/access';

export const readAgentic = permit('agentic.read', ['owner', 'admin', 'merchandiser', 'developer', 'platform'], 'read');
/** Who decides which agents a brand sells to, and what it signs with. */
export const manageAgentic = permit('agentic.manage', ['owner', 'admin', 'developer']);
/** The platform's own work for agents of buyers, who are no members. */
export const admitAgents = permit('agentic.admit', ['platform']);
