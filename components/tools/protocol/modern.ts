import type { IncomingHttpHeaders } from 'node:http';
import type { ClientCapability } from '../catalogue/question.ts';
import { codes, ProtocolError } from './error.ts';
import { decodeHeader } from './header-value.ts';
import { isObject, type Message } from './message.ts';
import { isRevision, modernRevision } from './revisions.ts';

const versionField = 'io.modelcontextprotocol/protocolVersion';
const capabilitiesField = 'io.modelcontextprotocol/clientCapabilities';

export const noCapabilities: ReadonlySet<ClientCapability> = new Set();

export type Era = 'legacy' | 'modern';

/**
 * A request is modern when its `_meta` says a version or its header names a modern revision. `initialize` without that
 * field never is: clients repeat a header they negotiated elsewhere, and must get their handshake.
 * @throws ProtocolError -32022 (400) for a legacy request whose version header names no revision at all
 */
export function eraOf({ method, params }: Message, headers: IncomingHttpHeaders): Era {
  const meta = params['_meta'];
  if (isObject(meta) && meta[versionField] !== undefined) return 'modern';
  const header = headers['mcp-protocol-version'];
  if (header === undefined || method === 'initialize') return 'legacy';
  const version = String(header).trim();
  if (version === modernRevision) return 'modern';
  if (!isRevision(version)) throw unsupported(version);
  return 'legacy';
}

/** The checks before the method is looked up; answers what the client declared that it can be asked. */
export function checkModern({ method, params }: Message, headers: IncomingHttpHeaders): ReadonlySet<ClientCapability> {
  const meta = params['_meta'];
  if (!isObject(meta)) throw missing(versionField);
  const version = meta[versionField];
  if (typeof version !== 'string') throw missing(versionField);
  const declared = meta[capabilitiesField];
  if (!isObject(declared)) throw missing(capabilitiesField);
  requireHeader('MCP-Protocol-Version', headers['mcp-protocol-version'], version);
  if (version !== modernRevision) throw unsupported(version);
  requireHeader('Mcp-Method', headers['mcp-method'], method);
  return capabilitiesOf(declared);
}

/** `Mcp-Name` mirrors the name of the tool called. */
export function checkName(name: string, headers: IncomingHttpHeaders): void {
  const given = headers['mcp-name'];
  if (given === name) return;
  if (typeof given !== 'string') throw mismatch('Mcp-Name is missing: it must repeat params.name.');
  if (decodeHeader(given) !== name) throw mismatch('Mcp-Name does not match params.name.');
}

export const mismatch = (message: string): ProtocolError => new ProtocolError(400, codes.headerMismatch, message);

function requireHeader(name: string, given: string | string[] | undefined, value: string): void {
  if (given === value) return;
  if (given === undefined) throw mismatch(`${name} is missing: it must repeat the body's value.`);
  if (String(given).trim() !== value) throw mismatch(`${name} does not match the body.`);
}

const missing = (field: string): ProtocolError =>
  new ProtocolError(400, codes.invalidParams, `params._meta["${field}"] is required.`);

const unsupported = (requested: string): ProtocolError =>
  new ProtocolError(400, codes.unsupportedVersion, 'Unsupported protocol version.', {
    // `initialize` answers the versions with a handshake.
    supported: [modernRevision],
    requested: requested.slice(0, 64),
  });

function capabilitiesOf({
  elicitation,
  sampling,
  roots,
}: Readonly<Record<string, unknown>>): ReadonlySet<ClientCapability> {
  if (elicitation === undefined && sampling === undefined && roots === undefined) return noCapabilities;
  const declared = {
    elicitation,
    'elicitation.url': isObject(elicitation) ? elicitation['url'] : undefined,
    sampling,
    roots,
  };
  return new Set(askable.filter((capability) => isObject(declared[capability])));
}

const askable = ['elicitation', 'elicitation.url', 'sampling', 'roots'] as const satisfies readonly ClientCapability[];
