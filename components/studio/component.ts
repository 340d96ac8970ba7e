import type { Consumer } from '@steward/bus';
import type { Route } from '@steward/contract';
import type { Identity, Integrations } from '@steward/identity';
import type { Addresses, Clock, Log, Scope } from '@steward/kernel';
import { addressDigest, type Refusal } from '@steward/mail';
import type { Limiter } from '@steward/limits';
import type { Tenancy, TenantTransaction } from '@steward/sql';
import type { Catalogue, Tool } from '@steward/tools';
import { madeKeys } from './keys/made.ts';
import type { MemberGuard } from './door.ts';
import { formRoutes } from './forms/routes.ts';
import { formTools } from './forms/tools.ts';
import type { StudioDeps } from './deps.ts';
import { keyRoutes } from './keys/routes.ts';
import { keyTools } from './keys/tools.ts';
import type { NotificationPorts } from './notifications/notify.ts';
import { type Addressing, createAddressing } from './recipients/addressing.ts';
import { createRecipients, type Recipients } from './recipients/recipients.ts';
import { createLinks } from './recipients/links.ts';
import { recipientPages } from './recipients/pages.ts';
import type { RecipientPorts } from './recipients/recipient.ts';
import { recipientRoutes } from './recipients/routes.ts';
import { recipientTools } from './recipients/tools.ts';
import type { StudioSettings } from './settings.ts';
import { disableSitesOf } from './sites/close.ts';
import { siteRoutes } from './sites/routes.ts';
import { siteTools } from './sites/tools.ts';
import { submissionConsumer } from './submissions/consumer.ts';
import { submissionRoutes } from './submissions/routes.ts';
import { createStorefront, type Storefront } from './storefront/storefront.ts';

export const name = 'studio';
export { studioNouns as nouns } from './nouns.ts';
export { finders } from './finders.ts';
export { studioSettings as settings } from './settings.ts';
export const migrations = new URL('./migrations/', import.meta.url);
export { recorded } from './recorded.ts';
export { studioFail as errors } from './errors.ts';
export { grammar, published } from './events.ts';
export const tools: readonly Tool<StudioDeps>[] = [...siteTools, ...keyTools, ...formTools, ...recipientTools];
export type { SiteKey, Storefront } from './storefront/storefront.ts';
export { fieldNames, type PublishedForm, type PublishedSchema } from './storefront/published.ts';
export type { FieldType, FormField, FormOption, RuleName, ValidationRule } from './forms/definition.ts';
export type { ContactFields, StudioDeps } from './deps.ts';
export type { StudioLimits } from './limits.ts';
export { formNamed, noForm } from './forms/form.ts';
export { getForm } from './forms/get.ts';
export { formVersionIn, getVersion, type FormVersion } from './forms/versions.ts';
export { createSite } from './sites/create.ts';
export { updateSite } from './sites/update.ts';
export { issueKey } from './keys/issue.ts';
export { isKeyText } from './keys/text.ts';
export { revokeKey } from './keys/revoke.ts';
export { createForm } from './forms/create.ts';
export { updateForm } from './forms/update.ts';
export { publishForm } from './forms/publish.ts';
export { submissionConsumer };
export { type NotificationPorts } from './notifications/notify.ts';
export { createLinks };
export type { Linked, Links } from './recipients/links.ts';
export type { Reader, Recipients } from './recipients/recipients.ts';
export type { RecipientPorts } from './recipients/recipient.ts';
export { eraseNotices } from './notifications/erase.ts';
export { unpublishForm } from './forms/unpublish.ts';

export interface StudioPorts extends Omit<StudioDeps, 'forget'> {
  readonly tenancy: Tenancy;
  readonly log: Log;
  /** Where a submission can be read. Submissions are commerce's. */
  readonly submissionPage: (submissionId: string) => string;
  /** Milliseconds that only move forward, for what is kept; given by tests. */
  readonly now?: () => number;
}

export interface Studio {
  /** What the public storefront asks; reads nothing but what is published. */
  readonly storefront: Storefront;
  /** What the readers of addresses, and mail servers, say about emails to them. */
  readonly recipients: Recipients;
  /** REST for members, under `{studio_api_url}`; `guard` lets them in. */
  routes(guard: MemberGuard): readonly Route[];
  /** What the exported verbs want beside their context. */
  readonly deps: StudioDeps;
  /** Starts noting when keys were last used. */
  start(): void;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Sites, keys and forms, and the interface that the public storefront uses. Nothing is read before it is asked for. */
export function createStudio(ports: StudioPorts): Studio {
  const { tenancy, log, submissionPage, now, ...given } = ports;
  const made = createStorefront(tenancy, log, given.limits.requestsPerMinute, now);
  const deps: StudioDeps = { ...given, forget: made.forget };
  return {
    storefront: made.storefront,
    deps,
    recipients: createRecipients(tenancy, deps.recipients.links),
    routes: (guard) => [
      ...siteRoutes(guard, deps),
      ...keyRoutes(guard, deps),
      ...formRoutes(guard, deps),
      ...recipientRoutes(guard, deps),
      ...submissionRoutes(guard, { submissionPage }),
    ],
    start: () => made.use.start(),
    [Symbol.asyncDispose]: async () => made.use.stop(),
  };
}

/** What the studio is given; it makes the rest of its ports of it. */
export interface StudioNeeds
  extends
    Pick<StudioPorts, 'tenancy' | 'log' | 'secret' | 'brandIn' | 'contactFields'>,
    Pick<NotificationPorts, 'readSubmission'> {
  readonly config: StudioSettings;
  readonly addresses: Pick<Addresses, 'commerce' | 'portal' | 'storefront' | 'studio'>;
  readonly identity: Identity;
  readonly toolCatalogue: Pick<Catalogue, 'bind'>;
  readonly limiter: Limiter;
  readonly clock: Clock;
}

export function create(needs: StudioNeeds): Studio & {
  readonly integrations: readonly Integrations[];
  readonly consumers: readonly Consumer[];
  /** Disables the sites of a brand that is archived. */
  closeBrand(tx: TenantTransaction, brandId: string): Promise<undefined>;
  readonly serves: readonly [
    { readonly at: 'studio'; readonly routes: readonly Route[]; register(scope: Scope): Promise<void> },
  ];
  /** For letters about something else than forms. */
  readonly addressing: Addressing;
  /** For the mail worker: reports refused emails, and names the links that end emails. */
  readonly emails: {
    refused(refusal: Refusal): Promise<void>;
    unsubscribeAt(tenant: string, address: string): string | undefined;
  };
} {
  const { config, addresses, identity, toolCatalogue, limiter, clock, readSubmission, ...given } = needs;
  const { tenancy, log, secret, brandIn, contactFields } = given;
  const links = createLinks(secret, addresses.studio, clock);
  const recipients: RecipientPorts = {
    membersAmong: async (tx, among) => identity.memberships.mailedAmong(tx, among),
    leftAmong: async (tx, among) => identity.memberships.leftAmong(tx, among),
    toStrangers: config.notifications === 'any',
    links,
  };
  const studio = createStudio({
    tenancy,
    log,
    secret,
    brandIn,
    contactFields,
    recipients,
    limits: config.studio,
    storefront: addresses.storefront,
    submissionPage: (id) => `${addresses.commerce}/api/submissions/${id}`,
  });
  toolCatalogue.bind(tools, studio.deps);
  return {
    ...studio,
    closeBrand: async (tx, brandId) => disableSitesOf(tx, brandId, studio.deps),
    consumers: [
      submissionConsumer({
        ...recipients,
        readSubmission,
        submissionPage: (id) => `${addresses.portal}/submissions/${id}`,
        submissionsPage: (formId) => `${addresses.portal}/submissions/forms/${formId}`,
      }),
    ],
    integrations: [madeKeys],
    serves: [
      {
        at: 'studio',
        routes: studio.routes(identity.tenant(addresses.studio)),
        register: async (scope) =>
          recipientPages(scope, { recipients: studio.recipients, studio: addresses.studio, limiter }),
      },
    ],
    addressing: createAddressing(recipients),
    emails: {
      refused: async (refusal) => studio.recipients.refused(refusal),
      unsubscribeAt: (tenant, address) => links.to('unsubscribe', { tenant, address: addressDigest(address) }),
    },
  };
}
