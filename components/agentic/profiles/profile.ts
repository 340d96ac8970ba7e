import { type KeySet, keySetOf } from '@steward/http-signatures';
import { parseDictionary } from 'structured-headers';
import { isShallow } from '@steward/kernel';
import { agenticFail } from '../errors.ts';

/** What an agent says of itself, at an address of its own. */
export interface Profile {
  readonly url: string;
  readonly version: unknown;
  readonly capabilities: Readonly<Record<string, unknown>>;
  readonly keys: KeySet;
  /** Of `performance.now()`. */
  readonly fetchedAt: number;
}

/** What an agent says of where it is told of its orders. */
export interface OrderWebhook {
  readonly url: string;
  /** Of the protocol. */
  readonly release: string;
}

const longestUrl = 2_000;

/** An agent sends the same with each request: what a header says is read once. */
const readHeaders = new Map<string, string>();
const mostRead = 1_000;

const wrongUrl = (detail: string): Error => agenticFail('invalid_profile_url', detail);

/**
 * The address that a request names: in `UCP-Agent`, a dictionary of RFC 8941, or in its body.
 * @param plain http will do, as for the official suite
 * @throws Problem `invalid_profile_url` (400)
 */
export function profileUrlOf(header: string | undefined, given: string | undefined, plain = false): string {
  const read = given === undefined && !plain && header !== undefined ? readHeaders.get(header) : undefined;
  if (read !== undefined) return read;
  const url = header === undefined ? given : fromHeader(header);
  if (url === undefined)
    throw wrongUrl(
      'Name your profile, over REST by the header UCP-Agent: profile="https://agent.example/.well-known/ucp", over MCP by `meta["ucp-agent"].profile`.',
    );
  if (given !== undefined && given !== url)
    throw wrongUrl('The header UCP-Agent and meta name different profiles: name one.');
  const parsed = url.length <= longestUrl ? URL.parse(url) : null;
  const fits = parsed?.protocol === 'https:' || (plain && parsed?.protocol === 'http:');
  if (parsed === null || !fits || parsed.username !== '' || parsed.password !== '')
    throw wrongUrl('The profile must be at an https address of up to 2000 characters, without credentials.');
  parsed.hash = '';
  // What has to be written otherwise in an address makes it longer.
  if (parsed.href.length > longestUrl)
    throw wrongUrl(`The address of the profile is longer than ${longestUrl} characters: serve it at a shorter one.`);
  if (given === undefined && !plain && header !== undefined && header.length <= 500) {
    if (readHeaders.size >= mostRead) readHeaders.clear();
    readHeaders.set(header, parsed.href);
  }
  return parsed.href;
}

function fromHeader(header: string): string | undefined {
  if (header.length > longestUrl + 500)
    throw wrongUrl('UCP-Agent is too long: send profile="https://agent.example/.well-known/ucp" alone.');
  try {
    const value = parseDictionary(header).get('profile')?.[0];
    return typeof value === 'string' ? value : undefined;
  } catch {
    throw wrongUrl('UCP-Agent is no dictionary of RFC 8941: send profile="https://agent.example/.well-known/ucp".');
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const orders = 'dev.ucp.shopping.order';
const longestRelease = 20;

/** Where a profile wants to be told of orders, in its own release; undefined: nowhere. */
export function webhookOf({
  version,
  capabilities,
}: Pick<Profile, 'version' | 'capabilities'>): OrderWebhook | undefined {
  const entries = Object.hasOwn(capabilities, orders) ? capabilities[orders] : undefined;
  if (typeof version !== 'string' || version.length > longestRelease || !Array.isArray(entries)) return undefined;
  for (const entry of entries.slice(0, 20) as unknown[]) {
    const config = isObject(entry) && entry['version'] === version ? entry['config'] : undefined;
    const url = isObject(config) ? config['webhook_url'] : undefined;
    const parsed = typeof url === 'string' && url.length <= longestUrl ? URL.parse(url) : null;
    if (parsed === null || !/^https?:$/.test(parsed.protocol) || parsed.username !== '' || parsed.password !== '')
      continue;
    parsed.hash = '';
    if (parsed.href.length <= longestUrl) return { url: parsed.href, release: version };
  }
  return undefined;
}

/** Of what a profile says. */
const deepest = 64;

/** @throws Problem `profile_malformed` (422) */
export function readProfile(url: string, text: string): Profile {
  let value: unknown;
  try {
    value = isShallow(text, deepest) ? JSON.parse(text) : undefined;
  } catch {
    throw agenticFail(
      'profile_malformed',
      'The profile is not JSON, or nested deeper than 64 levels: serve an object with ucp and keys.',
    );
  }
  const ucp = isObject(value) ? value['ucp'] : undefined;
  if (!isObject(value) || !isObject(ucp))
    throw agenticFail('profile_malformed', 'The profile has no object `ucp`: serve one with version and capabilities.');
  const { version, capabilities = {} } = ucp;
  if (typeof version !== 'string')
    throw agenticFail('profile_malformed', 'The profile has no `ucp.version`: say the release, such as 2026-08-25.');
  if (!isObject(capabilities))
    throw agenticFail(
      'profile_malformed',
      '`ucp.capabilities` of the profile is no object: list capabilities by their names.',
    );
  // `signing_keys` in releases before 2026-08-25.
  const jwks = [value['keys'], value['signing_keys']].flatMap((one) => (Array.isArray(one) ? (one as unknown[]) : []));
  return { url, version, capabilities, keys: keySetOf(jwks), fetchedAt: performance.now() };
}
