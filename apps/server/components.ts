import * as accounting from '@steward/accounting';
import * as approvals from '@steward/approvals';
import * as archive from '@steward/archive';
import * as audit from '@steward/audit';
import * as bus from '@steward/bus';
import * as commerce from '@steward/commerce';
import * as crm from '@steward/crm';
import * as identity from '@steward/identity';
import * as mail from '@steward/mail';
import * as portal from '@steward/portal';
import * as studio from '@steward/studio';
import * as tools from '@steward/tools';
import * as verification from '@steward/verification';
import { list } from './list.ts';
import type { Process } from './process.ts';

/**
 * What Steward is made of, in the order of making; it is stopped in the reverse order. What crosses from one component to another is
 * written beside the one that is given it.
 */
export const application = list<Process>()
  .with(identity)
  .with(audit, ({ identity: { tenant, memberships }, addresses, awaited }) => ({
    guard: tenant(addresses.accounting),
    namesOf: async (principals, context) =>
      memberships.names(
        context,
        principals.map(({ principalType: type, principalId: id }) => ({ type, id })),
      ),
    sign: async (event) => awaited.archive.given.sign(event),
  }))
  .with(archive, ({ identity: { tenant }, addresses }) => ({ guard: tenant(addresses.accounting) }))
  .with(verification)
  .with(portal, (made) => ({
    openChain: made.audit.provision,
    counters: {
      attachmentBytes: async (context) => ({ amount: await accounting.attachedBytes(context) }),
      submissions: async (context, before) => {
        const count = await commerce.countSubmissions(context, before as commerce.SubmissionCount | undefined);
        return { ...count, amount: count.settled + count.recent };
      },
      events: async (context) => ({ amount: (await audit.readChain(context, {})).head?.sequence ?? 0 }),
    },
  }))
  .with(accounting, () => ({
    contacts: { hold: crm.holdContact, byId: crm.contactsById, byEmail: crm.contactByEmail },
    organizationName: async (context) => (await portal.readOrganization(context, {})).name,
  }))
  .with(crm, () => ({ partiesOf: accounting.partiesOf }))
  .with(studio, () => ({
    brandIn: portal.brandIn,
    contactFields: crm.fieldsForForms,
    readSubmission: commerce.readSubmission,
  }))
  .with(mail, ({ studio: { emails }, awaited }) => ({
    ...emails,
    write: async (tenant, owed) => awaited.approvals.given.writeEmail(tenant, owed),
  }))
  .with(bus)
  .with(commerce, ({ studio: { storefront } }) => ({ storefront }))
  .with(approvals, (made) => ({
    accessProfile: made.portal.accessProfile,
    taken: accounting.taken,
    worth: accounting.worth,
    organizationName: made.portal.nameOf,
  }))
  .with(tools, (made) => ({
    accessProfile: made.portal.accessProfile,
    organizationsOf: made.portal.organizationsOf,
    recordDenied: made.audit.recordDenied,
    approvals: made.approvals.port,
    platformStatus: made.ready,
  }));

export const { components, readConfig } = application;
export type Config = ReturnType<typeof readConfig>;
