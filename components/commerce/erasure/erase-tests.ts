import { asItWas, heavily, operation } from '@steward/access';
import { testContacts } from '@steward/crm';
import { sql } from '@steward/sql';
import { z } from 'zod';
import { erases } from '../operations.ts';
import { firstIdAt } from '../submissions/submission.ts';
import { erasePerson } from './erase-contact.ts';
import { afterErasing, erasedOf, forget, type ErasedRow } from './forget.ts';
import { erasureTools } from './reason.ts';

/** Submissions, and contacts, in one call: whatever else speaks of them is looked through for each. */
export const mostTests = 100;

/**
 * Erases what came with test keys: the values of the submissions, and the contacts that only such submissions created, as a person
 * is erased. The oldest first: up to 100 submissions and, if none is left, up to 100 contacts. Ids and the fact stay.
 *
 * The caller must be somebody who may decide, because nothing takes an erasure back.
 * @throws Problem `legal_hold` (409)
 */
export const eraseTests = operation(
  {
    ...erases,
    requires: heavily(erases.requires),
    pillar: 'studio',
    name: erasureTools.tests,
    input: z.strictObject({
      before: z.iso
        .datetime({ offset: true })
        .optional()
        .meta({ description: 'Only what arrived before this time (RFC 3339).' }),
    }),
    answer: z.object({
      submissions: z.int(),
      contacts: z.int(),
      /** Whether there are more, for the next call. */
      more: z.boolean(),
    }),
    errors: ['insufficient_role', 'legal_hold'],
  },
  async (scope, { before }) =>
    scope.write(async (tx) => {
      const reason = 'no_longer_needed';
      const last = before === undefined ? 'ffffffff-ffff-ffff-ffff-ffffffffffff' : firstIdAt(before);
      const rows = await tx.query<ErasedRow>(sql`
        select submission_id, form_id, form_version from commerce.erase_test_submissions(${last}::uuid, ${mostTests}::int) order by 1`);
      const submissions = rows.map(erasedOf);
      await afterErasing(tx, submissions, reason);
      const contacts = submissions.length < mostTests ? await testContacts(tx, { before, limit: mostTests }) : [];
      const ids = submissions.map(({ submissionId }) => submissionId);
      const values: string[] = [];
      for (const contactId of contacts) {
        const person = await erasePerson(tx, contactId, reason);
        ids.push(...person.forget.ids);
        values.push(...person.forget.values);
      }
      if (ids.length === 0) return asItWas({ submissions: 0, contacts: 0, more: false });
      await forget(tx, { ids, values }, reason);
      return {
        submissions: submissions.length,
        contacts: contacts.length,
        more: submissions.length === mostTests || contacts.length === mostTests,
      };
    }),
);
