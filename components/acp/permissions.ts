import { permit } from '@steward/access';

/** What agents of a brand's door are served: they act for buyers, and no member asks. */
export const serveAgents = permit('acp.serve', ['platform']);
/** Where platforms take what a brand sells, and how that goes. */
export const readFeeds = permit('feeds.read', ['owner', 'admin', 'merchandiser', 'developer', 'platform'], 'read');
/** Who decides which platforms are sent what a brand sells. */
export const manageFeeds = permit('feeds.manage', ['owner', 'admin', 'developer']);
/** The platform's own work on what is sent. */
export const pushFeeds = permit('feeds.push', ['platform']);
