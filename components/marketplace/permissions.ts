import { everyone, permit } from '@steward/access';

export const readChannels = permit('channels.read', everyone, 'read');
/** Whose orders the organization believes, and where it sends its stock. */
export const connectChannels = permit('channels.connect', ['owner', 'admin']);
/** What a marketplace reports, and what it is asked for. */
export const serveChannels = permit('channels.serve', ['platform']);
