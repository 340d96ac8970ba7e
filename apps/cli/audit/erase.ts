import { repeatErasures } from '@steward/archive';
import { isDay } from '@steward/archive/format';
import { eraseSubject } from '@steward/audit';
import { withInstance } from '../with-instance.ts';
import type { CommandEnvironment } from '../instance.ts';
import { UsageError } from '../command.ts';
import { tenantOf, tenantsOf } from './tenants.ts';

/** `audit erase`: destroys the keys of a subject; or, after a restored backup, all that the archive says was erased. */
export async function eraseCommand(
  values: {
    tenant: string | undefined;
    subject: string | undefined;
    reason: string | undefined;
    'from-archive': boolean;
    since: string | undefined;
  },
  env: CommandEnvironment,
): Promise<number> {
  if (values['from-archive']) return fromArchive(env, values.tenant, values.since ?? '0001-01-01');
  const tenant = tenantOf(values.tenant);
  const { subject, reason } = values;
  if (!isText(subject, 200)) throw new UsageError('Say whose data: --subject, the opaque id that payloads name.');
  if (!isText(reason, 500)) throw new UsageError('Say why, and not who, in up to 500 characters: --reason.');
  return withInstance(env, async ({ audit, operator }) => {
    const { keyIds, eventId } = await eraseSubject(operator(tenant), { subject, reason }, audit.personal);
    console.log(
      keyIds.length === 0
        ? 'There was nothing left to erase.'
        : `Erased: the key ${keyIds.join(', ')} is destroyed, and event ${eventId} says so. Backups of the database still hold it.`,
    );
    return 0;
  });
}

async function fromArchive(env: CommandEnvironment, only: string | undefined, since: string): Promise<number> {
  if (!isDay(since)) throw new UsageError('--since is a UTC day, YYYY-MM-DD.');
  // Only this loads the components of people.
  const [{ withPeople }, { repeatPeople }] = await Promise.all([
    import('../contact/people.ts'),
    import('../contact/repeat.ts'),
  ]);
  return withPeople(env, async (instance) => {
    const target = await instance.archive.target();
    let failed = false;
    for (const tenant of await tenantsOf(instance, only)) {
      try {
        const again = await repeatErasures(instance.operator(tenant), target, since);
        if (again > 0) console.log(`tenant ${tenant}: ${again} keys had come back and are destroyed again.`);
        const people = await repeatPeople(instance, tenant, since);
        if (people > 0)
          console.log(
            `tenant ${tenant}: ${people} contacts, submissions, orders and parties of the archive are erased.`,
          );
      } catch (error) {
        failed = true;
        console.error(`tenant ${tenant}: ${String((error as Error).message)}`);
      }
    }
    console.log(failed ? 'Not everything could be erased again.' : 'All that the archive says was erased is erased.');
    return failed ? 1 : 0;
  });
}

const isText = (given: string | undefined, most: number): given is string =>
  given !== undefined && given !== '' && given.length <= most && !/\p{Cc}/u.test(given);
