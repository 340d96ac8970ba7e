import { dictionary } from '@steward/kernel';

/** What a token carries when no scope was asked for (contracts §3). */
export const defaultScopes = ['openid', 'service:external-agent:signup', 'mcp:read', 'mcp:write'] as const;

/** Only the console's client, and `steward token --approver`, ever get it. */
export const approvalScope = 'service:approvals:decide';

/** An approver's token, which is no signup token: who holds the one cannot do what the other is for. */
export const approverScopes = ['openid', approvalScope] as const;

/** Client id of the console and of `steward token --approver`. */
export const approverClient = 'steward-console';

/** Everything any client may ask for, and what it lets the client do, as the consent page says it. */
export const offeredScopes = dictionary<string>({
  openid: 'know who you are',
  email: 'know your e-mail address',
  profile: 'know your name',
  offline_access: 'stay connected while you are away',
  'service:external-agent:signup': 'create an organization that you own',
  'mcp:read': 'read your organization’s data',
  'mcp:write': 'make changes, and propose those that need your approval',
  'mcp:portal': 'use the tools for the organization itself',
  'mcp:accounting': 'use the accounting tools',
  'mcp:commerce': 'use the commerce tools',
  'mcp:studio': 'use the studio tools',
  'mcp:crm': 'use the customer tools',
});
