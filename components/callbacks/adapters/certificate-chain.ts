import { type KeyObject, X509Certificate } from 'node:crypto';
import { getCACertificates } from 'node:tls';

const mostCertificates = 6;
const end = '-----END CERTIFICATE-----';

/**
 * The key of the first certificate of a PEM text, where a chain of the others leads from it to an authority that this machine trusts, all of
 * them valid at the moment, and it is for one of the names; undefined otherwise.
 * @param names common names or alternative names, whole and in lower case
 * @param at milliseconds since the epoch
 */
export function keyOfChain(pem: string, names: readonly string[], at: number): KeyObject | undefined {
  const [leaf, ...others] = certificatesIn(pem);
  if (leaf === undefined || !names.some((name) => leaf.checkHost(name, { subject: 'always', wildcards: false })))
    return undefined;
  if (leaf.publicKey.asymmetricKeyType !== 'rsa' || (leaf.publicKey.asymmetricKeyDetails?.modulusLength ?? 0) < 2_048)
    return undefined;
  return isTrusted(leaf, others, at) ? leaf.publicKey : undefined;
}

function certificatesIn(pem: string): readonly X509Certificate[] {
  const parts = pem.split(end, mostCertificates + 1).slice(0, -1);
  try {
    return parts.map((part) => new X509Certificate(`${part}${end}`));
  } catch {
    return [];
  }
}

function isTrusted(leaf: X509Certificate, others: readonly X509Certificate[], at: number): boolean {
  let current = leaf;
  let left = [...others];
  for (let step = 0; step <= others.length; step += 1) {
    const subject = current;
    if (!isValid(subject, at)) return false;
    if (authorities(subject.issuer).some((root) => isValid(root, at) && issued(root, subject))) return true;
    const next = left.find((one) => one.ca && issued(one, subject));
    if (next === undefined) return false;
    left = left.filter((one) => one !== next);
    current = next;
  }
  return false;
}

/** Who signed it, by name, purpose and signature. */
const issued = (issuer: X509Certificate, subject: X509Certificate): boolean =>
  subject.checkIssued(issuer) && subject.verify(issuer.publicKey);

const isValid = ({ validFromDate, validToDate }: X509Certificate, at: number): boolean =>
  validFromDate.getTime() <= at && at <= validToDate.getTime();

/** What this machine trusts, by subject. */
let known:
  | { readonly of: readonly string[]; readonly bySubject: ReadonlyMap<string, readonly X509Certificate[]> }
  | undefined;

function authorities(subject: string): readonly X509Certificate[] {
  const of = getCACertificates('default');
  if (known?.of !== of && known?.of.join('') !== of.join('')) known = { of, bySubject: bySubject(of) };
  return known?.bySubject.get(subject) ?? [];
}

const bySubject = (pems: readonly string[]): ReadonlyMap<string, readonly X509Certificate[]> =>
  Map.groupBy(
    pems.map((pem) => new X509Certificate(pem)).filter(({ ca }) => ca),
    ({ subject }) => subject,
  );
