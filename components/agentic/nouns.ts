import type { Noun } from '@steward/tools';

export const agenticNouns: readonly Noun[] = [
  { noun: 'signing key', table: 'agentic.signing_key', key: 'key_id', called: 't.thumbprint' },
  { noun: 'agent', table: 'agentic.agent', key: 'agent_id', called: 't.profile_url' },
  { noun: 'credential', table: 'agentic.credential', key: 'credential_id', called: 't.label' },
  { noun: 'host', table: 'agentic.host', key: 'host_id', called: 't.host' },
];
