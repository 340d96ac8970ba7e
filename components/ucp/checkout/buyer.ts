import { readEmail } from '@steward/crm';
import { dictionary } from '@steward/kernel';
import type { z } from 'zod';
import type { buyer as buyerGiven } from '../shown/given.ts';
import { type Message, problem } from '../shown/message.ts';
import type { Version } from '../negotiation/versions.ts';

export interface Buyer {
  readonly first_name?: string;
  readonly last_name?: string;
  readonly email?: string;
  readonly phone_number?: string;
}

type Given = z.output<typeof buyerGiven>;

/** What is kept of it: members of the protocol that say something. */
export const buyerOf = ({ first_name, last_name, email, phone_number }: Given): Buyer =>
  Object.fromEntries(
    Object.entries({ first_name, last_name, email, phone_number }).filter(
      ([, said]) => said !== undefined && said.trim() !== '',
    ),
  );

export const emailOf = ({ email }: Buyer): string | undefined =>
  email === undefined ? undefined : readEmail(email.trim())?.address;

/** As our shop calls people. */
export const nameOf = (person: {
  readonly first_name?: string | undefined;
  readonly last_name?: string | undefined;
  readonly full_name?: string | undefined;
}): string | null =>
  oneLine([person.first_name, person.last_name].filter((part) => part !== undefined).join(' ')) ??
  oneLine(person.full_name);

/** One line as the shop keeps it; null: it says nothing. */
export function oneLine(text: string | undefined, longest = 200): string | null {
  const line = (text ?? '').replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim();
  return line === '' ? null : line.slice(0, longest);
}

const spaces = 'dev.ucp.consent.';
/** Purposes of the protocol, by the last word of their names; release 2026-04-08 calls the last one otherwise. */
const purposes = dictionary<string>({
  analytics: 'Analytics and performance measurement',
  marketing: 'News and offers of this shop',
  preferences: 'Remembering preferences',
  sale_or_sharing: 'Sale or sharing of personal data with others',
});
const older = dictionary<string>({ sale_or_sharing: 'sale_of_data' });

/** What the buyer decided, of the purposes that are known; what a platform of release 2026-08-25 does not say of the buyer is our own default, said again. */
export function consentOf({ consent }: Given, version: Version): Readonly<Record<string, boolean>> | undefined {
  if (consent === undefined || consent === null) return undefined;
  const decided = Object.keys(purposes).flatMap((purpose): [string, boolean][] => {
    const name = version === '2026-08-25' ? `${spaces}${purpose}` : (older[purpose] ?? purpose);
    const one = Object.hasOwn(consent, name) ? consent[name] : undefined;
    const decision = typeof one === 'object' ? (one as { granted?: unknown; source?: unknown } | null) : undefined;
    if (version === '2026-08-25' && decision?.source !== 'platform') return [];
    const granted = decision == null ? one : decision.granted;
    return typeof granted === 'boolean' ? [[purpose, granted]] : [];
  });
  return Object.fromEntries(decided);
}

/** What was decided, and of release 2026-08-25 what else can be: nothing is granted that nobody granted. */
export function showConsent(
  consent: Readonly<Record<string, boolean>> | undefined,
  version: Version,
): Readonly<Record<string, unknown>> | undefined {
  if (version === '2026-04-08')
    return consent === undefined
      ? undefined
      : Object.fromEntries(Object.entries(consent).map(([purpose, granted]) => [older[purpose] ?? purpose, granted]));
  return Object.fromEntries(
    Object.entries(purposes).map(([purpose, description]) => [
      `${spaces}${purpose}`,
      {
        granted: consent?.[purpose] ?? false,
        source: consent?.[purpose] === undefined ? 'business' : 'platform',
        description,
      },
    ]),
  );
}

export const faultsOfBuyer = (buyer: Buyer | undefined): Message[] =>
  buyer?.email !== undefined && emailOf(buyer) === undefined
    ? [problem('invalid_email', 'This is no e-mail address: give one such as ann@example.com.', '$.buyer.email')]
    : [];
