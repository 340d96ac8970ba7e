import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';
import { agenticFail } from '../errors.ts';
import { challengeLabel } from './challenge.ts';

/** A name of DNS has 253 characters at most, and that of the record of a host is longer by its label. */
const longest = 253 - challengeLabel.length - 1;

/** Names that no public DNS has (RFC 6761, RFC 6762, RFC 7686, RFC 8375, RFC 9476), and that a machine would take for its own. */
const special = new Set(['localhost', 'local', 'internal', 'invalid', 'onion', 'alt', 'arpa', 'localdomain', 'lan']);

const isLabel = (label: string): boolean =>
  /^[a-z0-9-]{1,63}$/.test(label) && !label.startsWith('-') && !label.endsWith('-');

/** Whether text is a name of several labels, as it is stored: no address, no port, nothing of a machine itself. */
export function isHostName(text: string): boolean {
  const labels = text.split('.', 130);
  const last = labels.at(-1) ?? '';
  return (
    text.length <= longest &&
    isIP(text) === 0 &&
    labels.length > 1 &&
    labels.every(isLabel) &&
    !/^[0-9]+$/.test(last) &&
    !special.has(last)
  );
}

/** The name in a header `Host`, as it is stored; undefined where that names no host that a brand could have. */
export function nameIn(header: string): string | undefined {
  if (header.length > longest + 10) return undefined;
  const [, name = ''] = /^([^:]*)(?::[0-9]{0,5})?$/.exec(header.toLowerCase()) ?? [];
  const plain = withoutDot(name);
  return isHostName(plain) ? plain : undefined;
}

const withoutDot = (name: string): string => (name.endsWith('.') ? name.slice(0, -1) : name);

const wrong = (detail: string): Error => agenticFail('host_not_valid', detail);

/**
 * What somebody typed, as DNS and the header `Host` have it: ASCII, lower case, without a dot at its end.
 * @param own names of the platform itself
 * @throws Problem `host_not_valid` (400)
 */
export async function readHost(given: string, own: ReadonlySet<string>): Promise<string> {
  const typed = given.trim();
  // What follows these would be passed over.
  const name = /[/?#\\@:]/.test(typed) ? '' : withoutDot(domainToASCII(typed));
  if (!isHostName(name))
    throw wrong(
      'Give the name of a host in DNS, such as shop.example.com: without https://, port or path, and no address of a machine.',
    );
  if (own.has(name)) throw wrong('The platform itself is there: give a name of the brand.');
  // Only who claims a host pays for loading the list.
  const { getPublicSuffix } = await import('tldts');
  if (getPublicSuffix(name, { allowPrivateDomains: true }) === name)
    throw wrong('Names of many owners end so: give a name below it.');
  return name;
}
