import type { Noun } from '@steward/tools';

/** What ids of the organization name. */
export const portalNouns: readonly Noun[] = [
  {
    noun: 'organization',
    table: 'portal.tenant',
    key: 'tenant_id',
    changedBy: 'service_update_organization',
    called: 't.name',
  },
  { noun: 'brand', table: 'portal.brand', key: 'brand_id', called: 't.name' },
  { noun: 'invitation', table: 'portal.invitation', key: 'invitation_id', called: 't.email' },
  { noun: 'grant of an agent', table: 'portal.agent_grant', key: 'agent_id', keyType: 'text', called: 't.agent_id' },
];
