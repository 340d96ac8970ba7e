import { everyone, permit } from '@steward/access';

/** Reading the log is open to every member: it is how a tenant's people see what was done, and by whom. */
export const readEvents = permit('audit.read', everyone, 'read');

/** Who may read the log may take it along: pages would give them the same. That they did is recorded. */
export const exportEvents = permit('audit.export', everyone, 'read');

/** A viewer reads; recording is for those who may also do. */
export const ingestEvents = permit(
  'audit.ingest',
  everyone.filter((role) => role !== 'viewer'),
);

/** Destroying a subject's keys, placing and releasing a hold: for those who answer for the tenant. */
export const erasePersonal = permit('audit.erase', ['owner', 'admin', 'platform']);
export const holdTenant = permit('audit.hold', ['owner', 'admin', 'platform']);

/** A refused call is recorded for every caller with any access to the tenant. */
export const beRecorded = permit('audit.be_recorded', everyone);
