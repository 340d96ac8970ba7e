import { permit, roles, type Standing } from '@steward/kernel';

const everyone: readonly Standing[] = [...roles, 'platform'];

/** Reading the log is open to every member: it is how a tenant's people see what was done, and by whom. */
export const readEvents = permit('audit.read', everyone);

/** A viewer reads; recording is for those who may also do. */
export const ingestEvents = permit(
  'audit.ingest',
  everyone.filter((standing) => standing !== 'viewer'),
);

/** A denied call is recorded for whoever has any standing in the tenant. */
export const beRecorded = permit('audit.be_recorded', everyone);
