import { fail, Problem } from '@steward/kernel';
import { recordingWrites } from '@steward/agentic';
import { isAttemptLimit } from '@steward/checkout';
import { validator } from '@steward/contract';
import { problem } from './shown/message.ts';
import { BeyondNumbers } from './shown/money.ts';
import { nothing, type Outcome } from './shown/outcome.ts';
import { ucpFail } from './errors.ts';
import { event } from './events.ts';
import { everything, negotiate } from './negotiation/negotiate.ts';
import { isVersion, type Version, versions } from './negotiation/versions.ts';
import type { Operation, Verbs } from './operations.ts';
import type { Arrived, Door, UcpPorts } from './ports.ts';
import type { Visit } from './visit.ts';

/** What is asked for, whichever transport it came by. */
export interface Call {
  readonly door: Door;
  readonly arrived: Arrived;
  readonly operation: Operation;
  /** What the address, or the argument, names; empty where nothing is named. */
  readonly id: string;
  /** What was sent of it, read as JSON; undefined: nothing. */
  readonly given: unknown;
  readonly key: string | undefined;
  /** Whether a key must be there. */
  readonly keyRequired: boolean;
  /** What a repetition is compared by, where it is not the whole body. */
  readonly sent?: string;
  readonly requestId: string;
}

/** Who the official suite is where its profile cannot be read. */
export const suiteAgent = '00000000-0000-7000-8000-000000000001';

const longestKey = 255;

/** Releases that are served, newest first. */
export const served = ({ version }: UcpPorts['config']['ucp']): readonly Version[] =>
  versions.slice(versions.indexOf(version));

export type Serve = (call: Call) => Promise<Outcome>;

/** Every request of every transport: who asks, in which release, for what both sides can, and only then the work. */
export function createServe(ports: UcpPorts, verbs: Verbs): Serve {
  const { config, agentic, tenancy, addresses } = ports;
  const { conformance } = config.ucp;
  const checks = new Map<Operation, (value: unknown) => unknown>();
  const read = (operation: Operation, given: unknown): unknown => {
    if (operation.given === null) return undefined;
    let check = checks.get(operation);
    if (check === undefined) checks.set(operation, (check = validator(operation.given, 'body')));
    return check(given);
  };

  const admitted = async ({ door, arrived }: Call) => {
    if (conformance) {
      const known = await agentic.admit(door, arrived, true).catch((error: unknown) => {
        if (error instanceof Problem) return { id: suiteAgent, keyId: null };
        throw error;
      });
      // It tries out declined payments as often as it likes.
      return {
        id: known.id,
        keyId: known.keyId,
        profileUrl: null,
        trusted: true,
        version: suiteVersion(arrived, config.ucp.version),
        active: everything,
      };
    }
    const { id, keyId, profile, trusted } = await agentic.admit(door, arrived);
    return {
      id,
      keyId,
      profileUrl: profile.url,
      trusted,
      version: profile.version,
      active: (version: Version) => negotiate(profile.capabilities, version),
    };
  };

  return async (call) => {
    const agent = await admitted(call);
    const note = async (verdict: string): Promise<void> =>
      agentic.noteRefusal(
        { ...call.door, protocol: 'ucp' },
        { profileUrl: agent.profileUrl, keyId: agent.keyId, verdict },
      );
    try {
      return await carryOut(call, agent, note);
    } catch (error) {
      if (isRefusal(error)) await note(error.code);
      throw error;
    }
  };

  async function carryOut(
    call: Call,
    agent: Awaited<ReturnType<typeof admitted>>,
    note: (verdict: string) => Promise<void>,
  ): Promise<Outcome> {
    const { door, operation, arrived, requestId } = call;
    const versionsServed = served(config.ucp);
    const { version } = agent;
    if (!isVersion(version) || !versionsServed.includes(version))
      throw ucpFail(
        'version_unsupported',
        `This release of the protocol is not served: use ${versionsServed.join(' or ')}.`,
      );
    const active = agent.active(version);
    if (!active.has(operation.capability)) {
      await note('capabilities_incompatible');
      return nothing(version, [
        problem(
          'capabilities_incompatible',
          `Your profile and this shop have no ${operation.capability} of ${version} in common.`,
          undefined,
          'unrecoverable',
        ),
      ]);
    }
    requireKey(call);
    const given = read(operation, call.given);
    const who = { type: 'agent', id: `agent:${agent.id}` } as const;
    const context = tenancy.systemContext({
      tenant: door.tenant,
      chain: [who],
      subject: who,
      caller: who,
      requestId,
      correlationId: requestId,
    });
    const written = (resourceId: string) =>
      event(operation.path.startsWith('/carts') ? 'ucp.cart.written' : 'ucp.checkout.written', {
        brand_id: door.brandId,
        agent_id: agent.id,
        operation: operation.name,
        resource_id: resourceId,
        key_id: agent.keyId,
        verdict: agent.keyId === null ? 'unsigned' : 'signed',
      });
    const visit: Visit = {
      context:
        operation.method === 'GET' || operation.payload === 'catalog'
          ? context
          : recordingWrites(context, call.id, written),
      shop: {
        siteId: null,
        keyId: null,
        agentId: agent.id,
        agentTrusted: agent.trusted,
        brandId: door.brandId,
        mode: door.mode,
        mediaAt: addresses.commerce,
      },
      version,
      active,
      base: door.at,
      links: door.links,
      conformance,
      noteRefusal: note,
      key: call.key,
      sent: call.sent ?? Buffer.from(arrived.body).toString('latin1'),
    };
    try {
      return await operation.run(verbs, visit, call.id, given);
    } catch (error) {
      if (!(error instanceof BeyondNumbers)) throw error;
      return nothing(version, [
        problem(
          'amount_too_large',
          'It comes to more than a JSON number holds: buy less at once.',
          undefined,
          'unrecoverable',
        ),
      ]);
    }
  }
}

/** Of who asks: the log tells of it. A request that is merely wrong is told to whoever sent it. */
const isRefusal = (error: unknown): error is Problem =>
  isAttemptLimit(error) ||
  (error instanceof Problem && ['version_unsupported', 'idempotency_key_reused'].includes(error.code));

/** @throws Problem `write_key_required`, `invalid_request` (400) */
function requireKey({ key, keyRequired }: Call): void {
  if (key === undefined && keyRequired)
    throw ucpFail('write_key_required', 'Send an Idempotency-Key, such as a random UUID: it makes a repetition safe.');
  if (key === undefined || (key.length <= longestKey && /^[\x21-\x7e]+$/.test(key))) return;
  const detail = `Give 1 to ${longestKey} visible characters of ASCII, such as a random UUID.`;
  throw fail('invalid_request', `Idempotency-Key: ${detail}`, {
    errors: [{ pointer: 'Idempotency-Key', code: 'invalid_format', detail }],
  });
}

/** What the suite asks for: its own word in the header, or else what is served. */
const suiteVersion = ({ headers }: Arrived, usual: Version): unknown =>
  /;\s*version="([^"]{1,20})"/.exec((headers['ucp-agent'] ?? '').slice(0, 2000))?.[1] ?? usual;
