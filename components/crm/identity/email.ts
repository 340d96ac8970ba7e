import { caseFolded } from '@steward/kernel';
import { domainToASCII } from 'node:url';
import { isOneLine, trimmed } from '../text.ts';

export interface Email {
  /** As it is shown: trimmed, lower case. */
  readonly address: string;
  /** What is compared: the domain in ASCII as well. Dots and plus signs of the local part stay: they are other mailboxes. */
  readonly key: string;
  /** The domain in ASCII. */
  readonly domain: string;
}

/** What HTML's `type=email` accepts (HTML §4.10.5.1.5), and letters of all scripts. Quoted local parts and address literals are refused. */
const local = /^[\p{L}\p{M}\p{N}\p{S}!#$%&'*+/=?^_`{|}~.-]+$/u;
const spelledDomain = /^[\p{L}\p{M}\p{N}.\u3002\uFF0E\uFF61-]+$/u;
const label = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** Undefined where it is no e-mail address: 254 bytes at most, a local part of 64, a domain with a dot. */
export function readEmail(text: string): Email | undefined {
  const given = trimmed(text);
  if (!isOneLine(given) || given.length > 254) return undefined;
  const at = given.lastIndexOf('@');
  const name = caseFolded(given.slice(0, at));
  const spelled = caseFolded(given.slice(at + 1));
  if (at < 1 || !local.test(name) || !spelledDomain.test(spelled)) return undefined;
  // A number at the end makes it an IPv4 address to the URL standard, whose rules these are.
  if (/^[0-9]|^0x/.test(spelled.slice(spelled.lastIndexOf('.') + 1))) return undefined;
  const domain = domainToASCII(spelled);
  const labels = domain.split('.');
  if (labels.length < 2 || !labels.every((one) => label.test(one)) || domain.length > 253) return undefined;
  const key = `${name}@${domain}`;
  if (Buffer.byteLength(name) > 64 || Buffer.byteLength(key) > 254) return undefined;
  return { address: `${name}@${spelled}`, key, domain };
}
