import { type AdmittedBearer, recordingWrites } from '@steward/agentic';
import { isAttemptLimit } from '@steward/checkout';
import { validator } from '@steward/contract';
import { fail, Problem } from '@steward/kernel';
import { acpFail } from './errors.ts';
import { event } from './events.ts';
import type { Operation, Verbs } from './operations.ts';
import { continueUrl } from './page/link.ts';
import type { AcpPorts, Arrived, Door } from './ports.ts';
import type { Outcome } from './shown/outcome.ts';
import { versions } from './versions.ts';
import type { Visit } from './visit.ts';

/** What is asked for, whichever transport it came by. */
export interface Call {
  readonly door: Door;
  readonly arrived: Arrived;
  readonly operation: Operation;
  /** What the address, or the argument, names; empty where nothing is named. */
  readonly id: string;
  /** All that was sent, read as JSON: it is what is signed. Undefined: nothing. */
  readonly body: unknown;
  /** What was sent of it. */
  readonly given: unknown;
  readonly version: string | undefined;
  readonly key: string | undefined;
  /** Whether a key must be there. */
  readonly keyRequired: boolean;
  readonly requestId: string;
}

const longestKey = 255;

export type Serve = (call: Call) => Promise<Outcome>;

/** Every request of every transport: who asks, in which release, under which key, and only then the work. */
export function createServe(ports: AcpPorts, verbs: Verbs): Serve {
  const { agentic, tenancy, addresses, checkout } = ports;
  const checks = new Map<Operation, (value: unknown) => unknown>();
  const read = (operation: Operation, given: unknown): unknown => {
    if (operation.given === null) return undefined;
    let check = checks.get(operation);
    if (check === undefined) checks.set(operation, (check = validator(operation.given, 'body')));
    return check(given);
  };

  return async (call) => {
    const { door, arrived, body } = call;
    const agent = await agentic.admitBearer(door, arrived, body);
    try {
      return await carryOut(call, agent);
    } catch (error) {
      if (isRefusal(error))
        await agentic.noteRefusal(door, { profileUrl: agent.profileUrl, keyId: agent.keyId, verdict: error.code });
      throw error;
    }
  };

  async function carryOut(call: Call, agent: AdmittedBearer): Promise<Outcome> {
    const { door, operation, requestId, given, id } = call;
    requireVersion(call);
    requireKey(call);
    const wanted = read(operation, given);
    const who = { type: 'agent', id: `agent:${agent.id}` } as const;
    const context = tenancy.systemContext({
      tenant: door.tenant,
      chain: [who],
      subject: who,
      caller: who,
      requestId,
      correlationId: requestId,
    });
    const { method, name, recorded } = operation;
    const proof = { key_id: agent.keyId, verdict: agent.signed ? 'signed' : 'bearer' } as const;
    const writer = { brand_id: door.brandId, agent_id: agent.id, ...proof };
    const records =
      method === 'GET' || recorded === null
        ? context
        : recordingWrites(context, id, (written) =>
            event(recorded, { ...writer, operation: name, resource_id: written }),
          );
    const visit: Visit = {
      context: records,
      proof,
      shop: {
        siteId: null,
        keyId: null,
        agentId: agent.id,
        agentTrusted: agent.trusted,
        brandId: door.brandId,
        mode: door.mode,
        mediaAt: addresses.commerce,
      },
      base: door.at,
      links: door.links,
      continueUrl: (session) => continueUrl(door.at, checkout.sessions.secret, session),
      key: method === 'GET' ? undefined : call.key,
      meaning: meaningOf(given ?? null),
    };
    return operation.run(verbs, visit, id, wanted);
  }
}

/** Of who asks, or of what they pay by: the log tells of it. A request that is merely wrong is told to whoever sent it. */
const isRefusal = (error: unknown): error is Problem =>
  isAttemptLimit(error) ||
  (error instanceof Problem &&
    (error.code.startsWith('payment_token_') ||
      ['unsupported_api_version', 'idempotency_key_reused'].includes(error.code)));

/** The order of members means nothing, and 1.0 is 1; `null` is not what is left out, and lists have an order. */
export const meaningOf = (given: unknown): string =>
  JSON.stringify(given, (_name, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );

/** @throws Problem `missing_api_version`, `unsupported_api_version` (400) */
function requireVersion({ version }: Call): void {
  const members = { supported_versions: [...versions] };
  if (version === undefined) throw acpFail('missing_api_version', `Send API-Version: ${versions[0]}.`, { members });
  if (!(versions as readonly string[]).includes(version))
    throw acpFail('unsupported_api_version', `This version is not served: send ${versions.join(' or ')}.`, { members });
}

/** @throws Problem `acp_idempotency_key_required`, `invalid_request` (400) */
function requireKey({ key, keyRequired }: Call): void {
  if (key === undefined && keyRequired)
    throw acpFail(
      'acp_idempotency_key_required',
      'Send an Idempotency-Key, such as a random UUID: it makes a repetition safe.',
    );
  if (key === undefined || (key.length <= longestKey && /^[\x20-\x7e]+$/.test(key))) return;
  const detail = `Give 1 to ${longestKey} characters of ASCII, such as a random UUID.`;
  throw fail('invalid_request', `Idempotency-Key: ${detail}`, {
    errors: [{ pointer: 'Idempotency-Key', code: 'invalid_format', detail }],
  });
}
