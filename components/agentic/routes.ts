import { restOf } from '@steward/access';
import type { Guard, Route } from '@steward/contract';
import type { Admitted } from '@steward/identity';
import { readmitAgent, shutOutAgent } from './agents/judge.ts';
import { listAgents } from './agents/list.ts';
import { setAgentWebhook } from './agents/set-webhook.ts';
import { trustAgent } from './agents/trust.ts';
import { issueCredential } from './credentials/issue.ts';
import { listCredentials } from './credentials/list.ts';
import { revokeCredential } from './credentials/revoke.ts';
import { rotateCredential } from './credentials/rotate.ts';
import { configureAgenticCommerce } from './doors/configure.ts';
import { getAgenticCommerce } from './doors/get.ts';
import { claimHost } from './hosts/claim.ts';
import { listHosts } from './hosts/list.ts';
import { releaseHost } from './hosts/release.ts';
import { verifyHost } from './hosts/verify.ts';
import { createSigningKey } from './keys/create.ts';
import { listSigningKeys } from './keys/list.ts';
import { revokeSigningKey } from './keys/revoke.ts';
import { rotateSigningKey } from './keys/rotate.ts';
import type { AgenticPorts } from './ports.ts';

const doors = { 200: 'The doors of the brand.' };
const key = { 200: 'The key.' };
/** No cache on the way may keep the one showing of a key. */
const sends = () => ({ 'cache-control': 'no-store' });
const one = { 200: 'The agent.' };
const host = { 200: 'The host, with the record that proves it.' };

export function agenticRoutes(guard: Guard<Admitted>, ports: AgenticPorts): Route[] {
  const rest = restOf({ guard, tag: 'Agentic commerce', ports });
  return [
    rest('GET', '/api/brands/:brandId/agentic-commerce', getAgenticCommerce, {
      summary: 'Read the doors of a brand for shopping agents',
      answers: doors,
    }),
    rest('PATCH', '/api/brands/:brandId/agentic-commerce', configureAgenticCommerce, {
      summary: 'Open, close or change a door of a brand',
      description:
        'Members that are not given stay as they are. Needs a token that may decide; every other caller proposes it.',
      answers: doors,
    }),
    rest('GET', '/api/brands/:brandId/signing-keys', listSigningKeys, {
      summary: 'List signing keys of a brand',
      answers: { 200: 'A page of keys, also of those that ended.' },
    }),
    rest('POST', '/api/brands/:brandId/signing-keys', createSigningKey, {
      summary: 'Make the signing key of a brand',
      answers: key,
    }),
    rest('POST', '/api/brands/:brandId/signing-keys/rotate', rotateSigningKey, {
      summary: 'Replace the signing key of a brand',
      answers: key,
    }),
    rest('POST', '/api/signing-keys/:keyId/revoke', revokeSigningKey, {
      summary: 'Revoke a signing key',
      description: 'Needs a token that may decide; every other caller proposes it.',
      answers: key,
    }),
    rest('GET', '/api/brands/:brandId/hosts', listHosts, {
      summary: 'List hosts of a brand',
      answers: { 200: 'A page of hosts, also of those that were released.' },
    }),
    rest('POST', '/api/brands/:brandId/hosts', claimHost, {
      summary: 'Claim a host for a brand',
      description:
        'Answers the TXT record that proves it. Nothing is served there before it is verified. Needs a token that may decide; every other ' +
        'caller proposes it.',
      answers: host,
    }),
    rest('POST', '/api/brand-hosts/:hostId/verify', verifyHost, {
      summary: 'Verify a host of a brand',
      description: 'Asks DNS for the record, and serves the brand at the host from now on.',
      answers: host,
    }),
    rest('POST', '/api/brand-hosts/:hostId/release', releaseHost, {
      summary: 'Release a host of a brand',
      description: 'Nothing is served there any more. Needs a token that may decide; every other caller proposes it.',
      answers: host,
    }),
    rest('GET', '/api/shopping-agents', listAgents, {
      summary: 'List shopping agents',
      answers: { 200: 'A page of agents, in the order in which they came first.' },
    }),
    rest('POST', '/api/brands/:brandId/trusted-agents', trustAgent, {
      summary: 'Trust a shopping agent',
      description:
        'By the address of its profile, whether it has come before or not. Needs a token that may decide; every other caller proposes it.',
      answers: one,
    }),
    rest('POST', '/api/shopping-agents/:agentId/shut-out', shutOutAgent, {
      summary: 'Shut out a shopping agent',
      answers: one,
    }),
    rest('POST', '/api/shopping-agents/:agentId/readmit', readmitAgent, {
      summary: 'Readmit a shopping agent',
      answers: one,
    }),
    rest('PUT', '/api/shopping-agents/:agentId/webhook', setAgentWebhook, {
      summary: 'Say where an agent platform is told of its orders',
      description:
        'Of agents that buy by ACP. Needs a token that may decide; every other caller proposes it. Then take the secret of the webhook, which has it begin.',
      answers: { 200: 'Where it is told.' },
    }),
    rest('GET', '/api/brands/:brandId/agent-credentials', listCredentials, {
      summary: 'List credentials of agent platforms',
      description: 'Shows the beginning and the last four characters of each key. The keys themselves are not stored.',
      answers: { 200: 'A page of credentials, also of those that ended.' },
    }),
    rest('POST', '/api/brands/:brandId/agent-credentials', issueCredential, {
      summary: 'Issue a credential to an agent platform',
      description:
        'Only this answer shows the key, by which the platform buys from the brand by ACP. A live key of a public key that the platform does not have yet ' +
        'needs a token that may decide.',
      answers: { 201: 'The credential.' },
      sends,
    }),
    rest('POST', '/api/agent-credentials/:credentialId/rotate', rotateCredential, {
      summary: 'Rotate a credential of an agent platform',
      description:
        'Issues a new key and shows it once. The old key still works for `overlapHours` (default 168). Needs a token that may decide; every other ' +
        'caller proposes it.',
      answers: { 201: 'The successor.' },
      sends,
    }),
    rest('DELETE', '/api/agent-credentials/:credentialId', revokeCredential, {
      summary: 'Revoke a credential of an agent platform',
      description: 'Ends it for good: at once in the process that answers, within a second in every other process.',
      answers: { 200: 'The revoked credential.' },
    }),
  ];
}
