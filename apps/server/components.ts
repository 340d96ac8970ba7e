import * as accounting from '@steward/accounting';
import * as acp from '@steward/acp';
import * as agentic from '@steward/agentic';
import * as approvals from '@steward/approvals';
import * as archive from '@steward/archive';
import * as audit from '@steward/audit';
import * as bookkeeping from '@steward/bookkeeping';
import * as bus from '@steward/bus';
import * as callbacks from '@steward/callbacks';
import * as catalogue from '@steward/catalogue';
import * as checkout from '@steward/checkout';
import * as commerce from '@steward/commerce';
import * as console from '@steward/console';
import { built, calledIn } from '@steward/console-app';
import * as crm from '@steward/crm';
import * as deliveries from '@steward/deliveries';
import * as identity from '@steward/identity';
import * as mail from '@steward/mail';
import * as marketplace from '@steward/marketplace';
import * as orders from '@steward/orders';
import * as portal from '@steward/portal';
import * as search from '@steward/search';
import * as stock from '@steward/stock';
import * as studio from '@steward/studio';
import * as tools from '@steward/tools';
import * as ucp from '@steward/ucp';
import * as verification from '@steward/verification';
import { list } from './list.ts';
import type { Process } from './process.ts';
import { allTaken, inBaseToo } from './taken.ts';

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
      attachmentBytes: async (context) => ({
        amount: (await accounting.attachedBytes(context)) + (await catalogue.mediaBytes(context)),
      }),
      callbackBytes: async (context) => ({ amount: await callbacks.keptBytes(context) }),
      submissions: async (context, before) => {
        const count = await commerce.countSubmissions(context, before as commerce.SubmissionCount | undefined);
        return { ...count, amount: count.settled + count.recent };
      },
      cartBytes: async (context) => ({ amount: await checkout.cartBytes(context) }),
      webhooks: async (context) => ({ amount: await deliveries.countWebhooks(context) }),
      events: async (context) => ({ amount: (await audit.readChain(context, {})).head?.sequence ?? 0 }),
    },
    makeRoom: checkout.makeRoom,
  }))
  .with(accounting, () => ({
    contacts: { hold: crm.holdContact, byId: crm.contactsById, byEmail: crm.contactByEmail },
    organizationName: async (context) => (await portal.readOrganization(context, {})).name,
    zonesTaxedBy: checkout.zonesTaxedBy,
  }))
  .with(crm, () => ({ partiesOf: accounting.partiesOf }))
  .with(studio, () => ({
    brandIn: portal.brandIn,
    contactFields: crm.fieldsForForms,
    readSubmission: commerce.readSubmission,
  }))
  .with(mail, ({ studio: { emails }, awaited }) => ({
    ...emails,
    write: async (tenant, owed) =>
      owed.by === orders.name
        ? awaited.orders.given.writeLetter(tenant, owed)
        : owed.by === deliveries.name
          ? awaited.deliveries.given.writeLetter(tenant, owed)
          : awaited.approvals.given.writeEmail(tenant, owed),
  }))
  .with(bus)
  .with(deliveries)
  .with(catalogue, () => ({
    brandIn: portal.brandIn,
    brandName: portal.brandName,
    taxCategories: checkout.taxCategories,
    buyable: (variantId) => stock.buyable(variantId, 'live'),
  }))
  .with(stock, () => ({
    variantsIn: catalogue.variantsIn,
    variantsNamed: catalogue.variantsNamed,
    baseCurrency: accounting.currencyOfBooks,
    pickupsAt: checkout.pickupsAt,
  }))
  .with(orders, ({ studio: { addressing } }) => ({
    addressing,
    contactOf: async (tx, buyer) => (await crm.resolveContact(tx, { ...buyer, custom: {} })).contactId,
    contactsIn: async (tx) => {
      const schema = await crm.contactSchemaIn(tx);
      return async (own, buyer) => (await crm.resolveContact(own, { ...buyer, custom: {}, schema })).contactId;
    },
    releaseDiscounts: checkout.releaseDiscounts,
    quoteEdit: checkout.quoteEdit,
    noteOnTimeline: crm.noteOnTimeline,
    contactsById: crm.contactsById,
    brandName: portal.brandName,
    brandLinks: portal.brandLinks,
    logoOf: catalogue.logoOf,
    paymentDetails: accounting.paymentDetails,
    sellerLanguage: accounting.languageOfSeller,
    papersOf: bookkeeping.papersOf,
    mayBePaid: async (context, order) =>
      (await bookkeeping.mayBePaid(context, order)) ||
      approvals.isAwaited(context, [order.id, ...(await bookkeeping.papersOf(context, order)).map(({ id }) => id)]),
    drawPaper: async (context, order, id, left) =>
      bookkeeping.drawPaper(context, order, id, left, {
        contacts: { hold: crm.holdContact },
        organizationName: async (of) => (await portal.readOrganization(of, {})).name,
      }),
  }))
  .with(checkout, () => ({
    brandIn: portal.brandIn,
    productsIn: catalogue.productsIn,
    collectionsIn: catalogue.collectionsIn,
    locationIn: stock.locationIn,
  }))
  .with(agentic, () => ({ brandIn: portal.brandIn, brandName: portal.brandName, brandLinks: portal.brandLinks }))
  .with(ucp)
  .with(bookkeeping, () => ({
    contacts: { hold: crm.holdContact },
    organizationName: async (context) => (await portal.readOrganization(context, {})).name,
  }))
  .with(commerce, ({ studio: { storefront } }) => ({ storefront }))
  .with(acp, () => ({ brandName: portal.brandName }))
  .with(marketplace, () => ({
    brandIn: portal.brandIn,
    releaseDiscounts: checkout.releaseDiscounts,
    productsIn: catalogue.productsIn,
    variantsIn: catalogue.variantsIn,
  }))
  // After every component that receives.
  .with(callbacks)
  .with(approvals, (made) => ({
    accessProfile: made.portal.accessProfile,
    taken: async (tx, events) =>
      allTaken(
        await accounting.taken(tx, bookkeeping.beyondRefunds(events)),
        await inBaseToo(tx, orders.takenByOrders(events), accounting.worth),
      ),
    worth: accounting.worth,
    organizationName: made.portal.nameOf,
    language: accounting.languageOfSeller,
    called: calledIn,
  }))
  .with(search, (made) => ({ accessProfile: made.portal.accessProfile }))
  .with(console, (made) => ({ loadAssets: built, organizationsOf: made.portal.organizationsOf }))
  .with(tools, (made) => ({
    accessProfile: made.portal.accessProfile,
    organizationsOf: made.portal.organizationsOf,
    recordDenied: made.audit.recordDenied,
    approvals: made.approvals.port,
    platformStatus: made.ready,
  }));

export const { components, readConfig } = application;
export type Config = ReturnType<typeof readConfig>;
