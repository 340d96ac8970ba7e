import { type Decider, restOf } from '@steward/access';
import { type Guard, inSnake, type Route } from '@steward/contract';
import type { Admitted } from '../events/routes.ts';
import { reading } from '../operations.ts';
import { eraseSubject } from './erasure/destroy-keys.ts';
import { placeHold, readHold, releaseHold } from './holds/legal-hold.ts';
import type { KeyStore } from './keys/key-store.ts';

const standing = inSnake(readHold.answer);
const stands = { 200: 'The present legal hold, or null' };

/**
 * Who may do what nothing brings back: a person who could approve as much. An agent may not, whatever token it was given.
 */
type Irrevocable = Pick<Decider, 'requireFor'>;

export function personalRoutes(guard: Guard<Admitted>, keys: Pick<KeyStore, 'forget'>, decider: Irrevocable): Route[] {
  const rest = restOf({ guard, tag: 'Audit', ports: { keys } });
  const irrevocable = {
    errors: ['not_human', 'client_not_approver', 'insufficient_scope', 'login_too_old', 'insufficient_role'],
    demands: decider.requireFor,
  };
  return [
    rest('POST', '/api/audit/erasures', eraseSubject, {
      summary: 'Erase the personal data of a subject',
      description:
        'Destroys the keys that seal values about the subject. The events stay and still verify; the values read ' +
        '`{"$erased": true}` from now on, in the archive too. Repeating it is safe. This needs a token that may decide, of ' +
        'a person.',
      answers: { 200: 'The keys that this call destroyed, and the event that records it' },
      shows: inSnake(eraseSubject.answer),
      ...irrevocable,
    }),
    rest('GET', '/api/audit/hold', readHold, {
      summary: 'The legal hold on the tenant',
      does: reading,
      answers: stands,
      shows: standing,
    }),
    rest('PUT', '/api/audit/hold', placeHold, {
      summary: 'Place a legal hold on the tenant',
      description:
        'During a legal hold nothing is erased and no archived day expires. An existing hold stays. A hold prevents the ' +
        'erasure of people, so it needs a token that may decide, of a person.',
      answers: stands,
      shows: standing,
      ...irrevocable,
    }),
    rest('DELETE', '/api/audit/hold', releaseHold, {
      summary: 'Release the legal hold',
      description: 'Data that the hold protected can then be erased, so this needs the same token as an erasure.',
      answers: stands,
      shows: { ...standing, of: () => ({ hold: null }) },
      ...irrevocable,
    }),
  ];
}
