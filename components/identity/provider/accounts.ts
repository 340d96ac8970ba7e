import { join } from 'node:path';
import { subjectOf, type DevelopmentKeys } from './keys.ts';
import { fileRecords } from './store/records.ts';

const grantLifetime = 14 * 24 * 3600;

interface Account {
  readonly email: string;
}

/** Who has signed in, and which tenant each of their grants was given for. */
export interface Accounts {
  /** The subject id of an e-mail address, which is remembered. */
  signIn(email: string): Promise<string>;
  find(subject: string): Promise<Account | undefined>;
  bind(grantId: string, tenant: string): Promise<void>;
  tenantOf(grantId: string): Promise<string | undefined>;
}

export function createAccounts(folder: string, keys: DevelopmentKeys): Accounts {
  const people = fileRecords<Account>(join(folder, 'Account'));
  const bindings = fileRecords<string>(join(folder, 'GrantTenant'));
  return {
    signIn: async (given) => {
      const email = given.trim().toLowerCase();
      const subject = subjectOf(keys, email);
      await people.set(subject, { email });
      return subject;
    },
    find: people.get,
    bind: async (grantId, tenant) => bindings.set(grantId, tenant, Date.now() + grantLifetime * 1000),
    tenantOf: bindings.get,
  };
}
