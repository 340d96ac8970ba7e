import { everyone, permit } from '@steward/access';

/** An address may hold a token of whoever receives, so not everybody reads it. */
export const readWebhooks = permit('webhooks.read', ['owner', 'admin', 'developer', 'platform'], 'read');
/** Who builds on the organization's events. */
export const manageWebhooks = permit('webhooks.manage', ['owner', 'admin', 'developer']);
/** The platform's own work on what is sent. */
export const deliverWebhooks = permit('webhooks.deliver', ['platform']);
/** What was announced, by ids and types: whoever is a member. */
export const readEvents = permit('events.read', everyone, 'read');
