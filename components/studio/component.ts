import type { Route } from '@steward/contract';
import type { Log } from '@steward/kernel';
import type { Tenancy } from '@steward/sql';
import type { Tool } from '@steward/tools';
import type { MemberGuard } from './door.ts';
import { formRoutes } from './forms/routes.ts';
import { formTools } from './forms/tools.ts';
import type { StudioGround } from './ground.ts';
import { keyRoutes } from './keys/routes.ts';
import { keyTools } from './keys/tools.ts';
import { createRecipientDesk, type RecipientDesk } from './recipients/desk.ts';
import { recipientRoutes } from './recipients/routes.ts';
import { recipientTools } from './recipients/tools.ts';
import { siteRoutes } from './sites/routes.ts';
import { siteTools } from './sites/tools.ts';
import { submissionRoutes } from './submissions/routes.ts';
import { createStorefront, type Storefront } from './storefront/storefront.ts';

export const name = 'studio';
export { studioNouns as nouns } from './nouns.ts';
export const migrations = new URL('./migrations/', import.meta.url);
export { studioFail as errors } from './errors.ts';
export { studioGrammar as grammar } from './grammar.ts';
export type { SiteKey, Storefront } from './storefront/storefront.ts';
export { fieldNames, type PublishedForm, type PublishedSchema } from './storefront/published.ts';
export type { FieldType, FormField, FormOption, RuleName, ValidationRule } from './forms/definition.ts';
export type { ContactFields, StudioGround } from './ground.ts';
export type { StudioLimits } from './limits.ts';
export { formNamed } from './forms/form.ts';
export { getForm } from './forms/get.ts';
export { formVersionIn, getVersion, type FormVersion } from './forms/versions.ts';
export { createSite } from './sites/create.ts';
export { updateSite } from './sites/update.ts';
export { issueKey } from './keys/issue.ts';
export { revokeKey } from './keys/revoke.ts';
export { createForm } from './forms/create.ts';
export { updateForm } from './forms/update.ts';
export { publishForm } from './forms/publish.ts';
export { submissionConsumer } from './submissions/consumer.ts';
export { type NotificationPorts } from './notifications/notify.ts';
export { createLinks, type Linked, type Links } from './recipients/links.ts';
export type { Reader, RecipientDesk } from './recipients/desk.ts';
export type { RecipientPorts } from './recipients/recipient.ts';
export { eraseNotices } from './notifications/erase.ts';
export { unpublishForm } from './forms/unpublish.ts';

export interface StudioPorts extends Omit<StudioGround, 'forget'> {
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
  /** What whoever reads an address, and mail servers, say of the letters there. */
  readonly recipients: RecipientDesk;
  readonly tools: readonly Tool[];
  /** REST for members, under `{studio_api_url}`; `guard` lets them in. */
  routes(guard: MemberGuard): readonly Route[];
  /** What the exported verbs want beside their context. */
  readonly ground: StudioGround;
  /** Starts noting when keys were last used. */
  start(): void;
  stop(): Promise<void>;
}

/** Sites, keys and forms, and the face on which the public storefront stands. Nothing is read before it is asked for. */
export function createStudio(ports: StudioPorts): Studio {
  const { tenancy, log, submissionPage, now, ...given } = ports;
  const desk = createStorefront(tenancy, log, given.limits.requestsPerMinute, now);
  const ground: StudioGround = { ...given, forget: desk.forget };
  return {
    storefront: desk.storefront,
    ground,
    recipients: createRecipientDesk(tenancy, ground.recipients.links),
    tools: [...siteTools(ground), ...keyTools(ground), ...formTools(ground), ...recipientTools(ground)],
    routes: (guard) => [
      ...siteRoutes(guard, ground),
      ...keyRoutes(guard, ground),
      ...formRoutes(guard, ground),
      ...recipientRoutes(guard, ground),
      ...submissionRoutes(guard, submissionPage),
    ],
    start: () => desk.use.start(),
    stop: async () => desk.use.stop(),
  };
}
