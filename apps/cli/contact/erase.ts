import { eraseContact, eraseSubmission, erasureReasons, type ErasureReason } from '@steward/commerce';
import { isId } from '@steward/kernel';
import { tenantOf } from '../audit/tenants.ts';
import type { CommandEnvironment } from '../instance.ts';
import { UsageError } from '../command.ts';
import { withPeople } from './people.ts';

/** `contact erase`: a person with all they submitted, or what one submission says. */
export async function eraseCommand(
  values: { tenant: string } & Record<'contact' | 'submission' | 'reason', string | undefined>,
  env: CommandEnvironment,
): Promise<number> {
  const tenant = tenantOf(values.tenant);
  const { contact, submission, reason = 'requested' } = values;
  if ((contact === undefined) === (submission === undefined))
    throw new UsageError('Say whom: --contact or --submission, one of them, with an id.');
  if (contact !== undefined && !isId(contact)) throw new UsageError('--contact is the id of a contact.');
  if (submission !== undefined && !isId(submission)) throw new UsageError('--submission is the id of a submission.');
  if (!isReason(reason)) throw new UsageError(`--reason is one of ${erasureReasons.join(', ')}.`);
  return withPeople(env, async ({ operator }) => {
    const context = operator(tenant);
    if (submission !== undefined) {
      const { erasedAt } = await eraseSubmission(context, { submissionId: submission, reason });
      console.log(
        `Submission ${submission} says nothing any more, since ${erasedAt}. Backups of the database still hold it.`,
      );
    } else if (contact !== undefined) {
      const { contactId, mergedIds, submissions, orders, erasedAt } = await eraseContact(context, {
        contactId: contact,
        reason,
      });
      console.log(
        `Contact ${[contactId, ...mergedIds].join(', ')} is erased, since ${erasedAt}, with ${submissions} ` +
          `${submissions === 1 ? 'submission' : 'submissions'} and ${orders} ${orders === 1 ? 'order' : 'orders'}. ` +
          'Backups of the database still hold them.',
      );
    }
    return 0;
  });
}

const isReason = (given: string): given is ErasureReason => (erasureReasons as readonly string[]).includes(given);
