import { nowhere } from './operations.ts';

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/g;
const time = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|\+00:00)/g;

const person = /\bu_[A-Za-z0-9_-]{22}/g;
const digest = /\b[0-9a-f]{64}\b|(?<=")[A-Za-z0-9_-]{43}(?=")|(?<=")(?:whpk_)?[A-Za-z0-9+/]{40,}={1,2}(?=")/g;

/** Without what differs from run to run: where the server listens, ids and digests that were made, and times. */
export const normalised = (text: string, addresses: readonly string[]): string =>
  addresses
    .reduce((all, address, at) => all.replaceAll(address, `http://steward-${at}.example`), text)
    .replaceAll(uuid, (id) => (id === nowhere ? id : '<id>'))
    // A digest may hold what looks like a person's id.
    .replaceAll(/shop-[0-9a-f]{12}(?=\.myshopify)/g, 'shop-<id>')
    .replaceAll(digest, '<digest>')
    .replaceAll(person, '<person>')
    .replaceAll(time, '<time>');
