import { AddressRefused, fail } from '@steward/kernel';
import type { DeliveriesPorts } from '../ports.ts';

const mends: Readonly<Record<AddressRefused['code'], string>> = {
  scheme_not_allowed: 'Give an address that begins with https://.',
  port_not_allowed: 'The port of the address is not one that this server sends to: use 443.',
  address_not_public: 'The address leads into a private network: give one that is public.',
};

const longestUrl = 2_000;

/** What says whether requests may go to an address. */
export type Judging = Pick<DeliveriesPorts, 'judge'>;

/**
 * The address as requests go there.
 * @throws Problem `invalid_request` (400)
 */
export function targetOf({ judge }: Judging, given: string): string {
  const url = URL.parse(given);
  if (url === null) throw refused('This is no address.', 'invalid_url');
  if (url.username !== '' || url.password !== '')
    throw refused('Leave out the user name and password: check the signature instead.', 'credentials_in_url');
  if (url.hash !== '') throw refused('Leave out the fragment, from # on.', 'fragment_in_url');
  try {
    judge(url);
  } catch (error) {
    if (error instanceof AddressRefused) throw refused(mends[error.code], error.code);
    throw error;
  }
  // What has to be written otherwise in an address makes it longer.
  if (url.href.length > longestUrl)
    throw refused(`Give an address of ${longestUrl} characters at most.`, 'invalid_length');
  return url.href;
}

const refused = (detail: string, code: string): Error =>
  fail('invalid_request', detail, { errors: [{ pointer: '/url', code, detail }] });

/**
 * The types, each once and in order; null is every type.
 * @throws Problem `invalid_request` (400) with a pointer to each that nobody announces
 */
export function typesOf(
  { announced }: Pick<DeliveriesPorts, 'announced'>,
  types: readonly string[] | null,
): readonly string[] | null {
  if (types === null) return null;
  const errors = types.flatMap((type, index) =>
    announced.has(type)
      ? []
      : [
          {
            pointer: `/types/${index}`,
            code: 'unknown_type',
            detail: 'No event has this type: service_list_event_types lists all.',
          },
        ],
  );
  if (errors.length > 0)
    throw fail('invalid_request', 'Some types are not of any event: service_list_event_types lists all.', { errors });
  return [...new Set(types)].toSorted();
}
