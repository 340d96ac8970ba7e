import { counted } from '@steward/kernel';
import { toolOf, under, type Tool } from '@steward/tools';
import type { Agent } from './agents/agent.ts';
import { agent } from './agents/agent.ts';
import { readmitAgent, shutOutAgent } from './agents/judge.ts';
import { listAgents } from './agents/list.ts';
import { agentWebhook, setAgentWebhook } from './agents/set-webhook.ts';
import { trustAgent } from './agents/trust.ts';
import { credential, type IssuedCredential, issuedCredential } from './credentials/credential.ts';
import { issueCredential } from './credentials/issue.ts';
import { listCredentials } from './credentials/list.ts';
import { revokeCredential } from './credentials/revoke.ts';
import { rotateCredential } from './credentials/rotate.ts';
import { configureAgenticCommerce } from './doors/configure.ts';
import type { BrandDoors, Door } from './doors/door.ts';
import { getAgenticCommerce } from './doors/get.ts';
import { claimHost } from './hosts/claim.ts';
import { type BrandHost, brandHost } from './hosts/host.ts';
import { listHosts } from './hosts/list.ts';
import { releaseHost } from './hosts/release.ts';
import { verifyHost } from './hosts/verify.ts';
import { createSigningKey } from './keys/create.ts';
import { type SigningKey, signingKey } from './keys/key.ts';
import { listSigningKeys } from './keys/list.ts';
import { revokeSigningKey } from './keys/revoke.ts';
import { rotatedKey, rotateSigningKey } from './keys/rotate.ts';
import type { AgenticPorts } from './ports.ts';

const termsOf = ({ mode, refuseUnsigned, trustedOnly }: Door): string => {
  const who = trustedOnly ? 'trusted agents' : 'every agent';
  return `${mode} orders, for ${who}${mode === 'live' || refuseUnsigned ? ' that signs' : ', signed or not'}`;
};
const said = ({ doors }: BrandDoors): string =>
  doors.map((one) => `${nameOf(one)} is ${one.active ? `on: ${termsOf(one)}` : 'off'}.`).join(' ');
const nameOf = ({ protocol }: Pick<Door, 'protocol'>): string => protocol.toUpperCase();
/** The door that was asked for, alone: what stays as it is would look like a part of the change, and would make the change of the other door another one. */
const asked = ({ brandId, doors }: BrandDoors, { protocol }: Pick<Door, 'protocol'>): BrandDoors => ({
  brandId,
  doors: doors.filter((one) => one.protocol === protocol),
});
/** Without what counts or changes with each touch. */
const terms = ({ brandId, doors }: BrandDoors) => ({
  brandId,
  doors: doors.map(({ version: _version, updatedAt: _at, ...rest }) => rest),
});
const showsKey = under('key', signingKey.answer);
const showsAgent = under('agent', agent.answer);
const judged = ({ profileUrl }: Agent): string => `the agent at ${profileUrl}`;
const standingOf = ({ profileUrl, standing }: Agent) => ({ agent: { profileUrl, standing } });
/** Which key it will be shows only once it is made. */
const futureKey = ({ brandId }: SigningKey) => ({ key: { brandId } });
const keyOf = ({ thumbprint }: SigningKey): string => `key ${thumbprint}`;

const showsHost = under('host', brandHost.answer);
const recordOf = ({ record }: BrandHost): string => `Have DNS say, in a TXT record at ${record.name}: ${record.value}`;

/** A preview has issued nothing, so it shows no key. */
const issuing = (verb: string) => ({
  answersSecret: true,
  shows: under('credential', issuedCredential),
  preview: ({ key: _key, id: _id, agentId: _agent, lastFour: _last, createdAt: _at, ...rest }: IssuedCredential) => ({
    credential: rest,
  }),
  say: ({ mode, profileUrl, key, lastFour }: IssuedCredential, preview: boolean) =>
    preview
      ? `Would ${verb} a ${mode} key for ${profileUrl}.`
      : key === null
        ? `The ${mode} key for ${profileUrl} ends in ${lastFour}. It is not shown here.`
        : `The ${mode} key for ${profileUrl} ends in ${lastFour}. The platform sends it as a bearer token. It is not shown again.`,
  warn: ({ key }: IssuedCredential) =>
    key === null
      ? 'The key cannot be shown again, nor where it was approved: a person rotates it with POST /api/agent-credentials/{id}/rotate.'
      : undefined,
});

export const agenticTools: readonly Tool<AgenticPorts>[] = [
  toolOf(getAgenticCommerce, {
    rare: true,
    core: false,
    title: 'Read the doors of a brand for shopping agents',
    description:
      'Reads by which protocols (UCP, ACP) shopping agents may buy from a brand, at which address, whether in test or live ' +
      'mode, and which agents are served.',
    say: said,
  }),
  toolOf(configureAgenticCommerce, {
    rare: true,
    core: false,
    annotations: { destructiveHint: false, idempotentHint: true },
    title: 'Open or close a brand for shopping agents',
    description:
      'Turns a protocol for shopping agents on or off for a brand, or changes its mode and whom it serves. Only the given ' +
      'members change. The brand needs a signing key first. A person approves it.',
    approval: { moneyOut: false },
    preview: (changed, given) => terms(asked(changed, given)),
    keepsPreview: true,
    say: (changed, preview, given) => {
      const next = asked(changed, given);
      const [door] = next.doors;
      if (!preview || door === undefined) return said(next);
      return door.active
        ? `Would open the brand to agents by ${nameOf(door)}: ${termsOf(door)}.`
        : `Would close the brand to agents by ${nameOf(door)}.`;
    },
  }),
  toolOf(listSigningKeys, {
    rare: true,
    core: false,
    title: 'List signing keys of a brand',
    description:
      'Lists the keys with which a brand signs what it tells agents, also those that ended. Private parts are never shown.',
    say: ({ items }) => `${counted(items.length, 'signing key')}.`,
  }),
  toolOf(createSigningKey, {
    rare: true,
    core: false,
    annotations: { destructiveHint: false },
    title: 'Make the signing key of a brand',
    description:
      'Makes the key with which a brand signs what it tells agents. Its public part is published in the profile of the brand; the ' +
      'private part never leaves the server. To replace a key, use service_rotate_signing_key.',
    shows: showsKey,
    preview: futureKey,
    say: (key, preview) => `${preview ? 'Would make a signing key.' : `Made ${keyOf(key)}.`}`,
  }),
  toolOf(rotateSigningKey, {
    rare: true,
    core: false,
    annotations: { destructiveHint: false },
    title: 'Replace the signing key of a brand',
    description:
      'Makes a new key. The brand signs with it from now on; the one before it is published for seven days more.',
    shows: under('key', rotatedKey),
    preview: ({ brandId, replaces }) => ({ key: { brandId, replaces } }),
    say: (key, preview) =>
      `${preview ? 'Would replace the signing key.' : `Made ${keyOf(key)}; the one before it ends in seven days.`}`,
  }),
  toolOf(revokeSigningKey, {
    rare: true,
    core: false,
    annotations: { destructiveHint: true, idempotentHint: true },
    final: true,
    title: 'Revoke a signing key',
    description:
      'Ends a key for good, for one that somebody else may have: nothing that it signed is believed any more. A person approves it.',
    approval: { moneyOut: false },
    shows: showsKey,
    say: (key, preview) => `${preview ? 'Would revoke' : 'Revoked'} ${keyOf(key)}.`,
  }),
  toolOf(listHosts, {
    rare: true,
    core: false,
    title: 'List hosts of a brand',
    description:
      'Lists the hosts at which agents find a brand, with the TXT record that proves each, and whether it is claimed, verified, lapsed ' +
      '(another brand has it) or released.',
    answers: { items: 'hosts' },
    say: ({ items }) => `${counted(items.length, 'host')}.`,
  }),
  toolOf(claimHost, {
    rare: true,
    core: false,
    annotations: { destructiveHint: false, idempotentHint: true },
    title: 'Claim a host for a brand',
    description:
      'Claims a host, such as shop.example.com, as the place where agents find a brand. Answers a TXT record; once that is in DNS, call ' +
      'service_verify_brand_host. A person approves it.',
    approval: { moneyOut: false },
    shows: showsHost,
    preview: ({ id: _id, claimedAt: _at, ...host }) => ({ host }),
    say: (one, preview) => `${preview ? 'Would claim' : 'Claimed'} ${one.host}. ${recordOf(one)}`,
  }),
  toolOf(verifyHost, {
    rare: true,
    core: false,
    annotations: { destructiveHint: false, idempotentHint: true, openWorldHint: true },
    title: 'Verify a host of a brand',
    description:
      'Asks DNS for the TXT record of a claimed host, and serves the brand there from then on. A host that another brand has verified is taken over only ' +
      'where the record of that brand is gone.',
    shows: showsHost,
    preview: ({ verifiedAt: _at, ...host }) => ({ host }),
    say: ({ host }, preview) => `${preview ? 'Would serve' : 'Serves'} the brand at ${host}.`,
  }),
  toolOf(releaseHost, {
    rare: true,
    core: false,
    annotations: { destructiveHint: true, idempotentHint: true },
    title: 'Release a host of a brand',
    description:
      'Gives a host up: the brand is not served there any more, and others may verify it. A person approves it.',
    approval: { moneyOut: false },
    shows: showsHost,
    preview: ({ releasedAt: _at, ...host }) => ({ host }),
    say: ({ host }, preview) => `${preview ? 'Would release' : 'Released'} ${host}.`,
  }),
  toolOf(listAgents, {
    rare: true,
    core: false,
    title: 'List shopping agents',
    description:
      'Lists the shopping agents that came to brands, by the addresses of their profiles, with what they proved and how they stand: ' +
      'known, trusted or shut out.',
    say: ({ items }) => `${counted(items.length, 'agent')}.`,
  }),
  toolOf(trustAgent, {
    rare: true,
    core: false,
    annotations: { destructiveHint: false, idempotentHint: true },
    title: 'Trust a shopping agent',
    description:
      'Names an agent as trusted by the address of its profile, before or after it comes: where a brand sells to trusted agents alone, ' +
      'it sells to this one. A person approves it.',
    approval: { moneyOut: false },
    shows: showsAgent,
    preview: standingOf,
    say: (one, preview) => `${preview ? 'Would trust' : 'Trusts'} ${judged(one)}.`,
  }),
  toolOf(setAgentWebhook, {
    rare: true,
    core: false,
    annotations: { destructiveHint: false, idempotentHint: true, openWorldHint: true },
    title: 'Say where an agent platform is told of its orders',
    description:
      'Has an agent platform that buys by ACP told of the orders that it placed, at an https address of its own. Data leaves the organization, so a ' +
      'person approves it. Afterwards a person makes the secret on the page of the webhook, or with POST /api/webhooks/{webhook_id}/secret: until then nothing is sent.',
    approval: { moneyOut: false },
    shows: under('webhook', agentWebhook),
    preview: ({ url, agentId }) => ({ webhook: { agentId, url } }),
    say: ({ url, reason }, preview) =>
      `${preview ? 'Would tell' : 'Tells'} the agent of its orders at ${URL.parse(url)?.host ?? 'its address'}.${!preview && reason === 'secret_missing' ? ' It is told once the secret of the webhook is made.' : ''}`,
  }),
  toolOf(shutOutAgent, {
    rare: true,
    core: false,
    annotations: { destructiveHint: true, idempotentHint: true },
    title: 'Shut out a shopping agent',
    description: 'Ends at once what an agent may do at a brand. Its orders stay. service_readmit_agent takes it back.',
    shows: showsAgent,
    say: (one, preview) => `${preview ? 'Would shut out' : 'Shut out'} ${judged(one)}.`,
  }),
  toolOf(readmitAgent, {
    rare: true,
    core: false,
    annotations: { destructiveHint: false, idempotentHint: true },
    title: 'Readmit a shopping agent',
    description: 'Makes an agent what every agent is: neither trusted nor shut out. A person approves it.',
    approval: { moneyOut: false },
    shows: showsAgent,
    preview: standingOf,
    say: (one, preview) => `${preview ? 'Would readmit' : 'Readmitted'} ${judged(one)}.`,
  }),
  toolOf(issueCredential, {
    ...issuing('issue'),
    rare: true,
    core: false,
    annotations: { destructiveHint: false },
    title: 'Issue a credential to an agent platform',
    description:
      'Issues a key by which an agent platform buys from a brand by ACP, in the mode of the door. Only this answer shows it; a repeat ' +
      'with the same idempotency_key shows it again. A live key of a public key that the platform does not have yet is issued by a person, at ' +
      'POST /api/brands/{brand_id}/agent-credentials.',
  }),
  toolOf(listCredentials, {
    rare: true,
    core: false,
    title: 'List credentials of agent platforms',
    description:
      'Lists the keys that a brand issued to agent platforms, with last four characters and status, also those that ended.',
    answers: { items: 'credentials' },
    say: ({ items }) => `${counted(items.length, 'credential')}.`,
  }),
  toolOf(rotateCredential, {
    ...issuing('rotate to'),
    rare: true,
    core: false,
    annotations: { destructiveHint: false },
    approval: { moneyOut: false },
    title: 'Rotate a credential of an agent platform',
    description:
      'Replaces a key by a new one. The old key still works for `overlap_hours`, so that the platform can change over. No action shows a key: where ' +
      'somebody needs it, a person rotates it with POST /api/agent-credentials/{credential_id}/rotate.',
  }),
  toolOf(revokeCredential, {
    rare: true,
    core: false,
    final: true,
    annotations: { destructiveHint: true, idempotentHint: true },
    title: 'Revoke a credential of an agent platform',
    description: 'Ends a key for good. The platform can no longer buy with it; its orders stay.',
    shows: under('credential', credential.answer),
    say: ({ lastFour }, preview) => `${preview ? 'Would revoke' : 'Revoked'} the key that ends in ${lastFour}.`,
  }),
];
