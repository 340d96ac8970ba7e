import type { Route } from '@steward/contract';
import type { ProcessConfig, Request, RequestHandler, Scope } from '@steward/kernel';
import type { Tool } from '@steward/tools';
import { createFormCounts } from './counts/counts.ts';
import { countRoutes } from './counts/routes.ts';
import { erasureRoutes } from './erasure/routes.ts';
import { erasureToolset } from './erasure/tools.ts';
import type { CommercePorts } from './ports.ts';
import { createRefusalNotes } from './refusals/refusals.ts';
import { refusalRoutes } from './refusals/routes.ts';
import { refusalTools } from './refusals/tools.ts';
import type { CommerceSettings } from './settings.ts';
import { createSays } from './sdk/says.ts';
import { mountSdk } from './sdk/mount.ts';
import { createAdmission } from './storefront/admission.ts';
import { cartRoutes } from './storefront/carts.ts';
import { checkoutRoutes } from './storefront/checkouts.ts';
import { keyGuard, visitGuard, type Visit } from './storefront/guard.ts';
import { mountStorefront } from './storefront/mount.ts';
import { orderRoutes } from './storefront/orders.ts';
import { collectionRoutes } from './storefront/collections.ts';
import { createProductPages } from './storefront/product-pages.ts';
import { productRoutes } from './storefront/products.ts';
import { quickly } from './storefront/quick.ts';
import { storefrontRoutes } from './storefront/routes.ts';
import { submissionPageRoutes } from './submissions/page-routes.ts';
import { submissionRoutes } from './submissions/routes.ts';
import type { Submitting } from './submissions/store.ts';
import { submitting } from './submissions/submit.ts';
import type { Submission } from './submissions/submission.ts';
import { submissionTools } from './submissions/tools.ts';

export const name = 'commerce';
export { commerceNouns as nouns } from './nouns.ts';
export { commerceSettings as settings } from './settings.ts';
export const migrations = new URL('./migrations/', import.meta.url);
export { recorded } from './recorded.ts';
export { commerceFail as errors } from './errors.ts';
export { grammar, published } from './events.ts';
export const tools: readonly Tool[] = [...submissionTools, ...refusalTools, ...erasureToolset];
export type { CommercePorts } from './ports.ts';
export { eraseContact, eraseOrder, eraseParty, type ErasedPerson } from './erasure/erase-contact.ts';
export { eraseSubmission } from './erasure/erase-submission.ts';
export { reasons as erasureReasons, type Reason as ErasureReason } from './erasure/reason.ts';
export { readSubmitted } from './submissions/body.ts';
export { countSubmissions, type SubmissionCount } from './submissions/count.ts';
export { getSubmission, readSubmission } from './submissions/get.ts';
export { listSubmissions } from './submissions/list.ts';
export type { Submission } from './submissions/submission.ts';

export interface Commerce {
  /** For members, under `/api`. */
  readonly routes: readonly Route[];
  /** The public ones, for the OpenAPI document; `mount` serves them. */
  readonly storefrontRoutes: readonly Route[];
  /** Serves the public routes under `/storefront/v1`, with their limits and CORS, and the browser SDK. */
  mount(scope: Scope): void;
  /** In front of the router that `mount` was given to: answers what is asked most without it. */
  quickly(route: RequestHandler): RequestHandler;
  /** The verb behind the public route. */
  submit(one: Submitting): Promise<Submission>;
  /** Starts writing down why submissions were refused. */
  start(): void;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Submissions, and the routes on which the public reads forms and submits them. */
export function createCommerce(ports: CommercePorts): Commerce {
  const member = ports.identity.tenant(ports.addresses.commerce);
  const notes = createRefusalNotes({ ...ports, pool: ports.tenancy.pool });
  const counts = createFormCounts({ ...ports, pool: ports.tenancy.pool });
  const visits = new WeakMap<Request, Visit>();
  const guards = {
    read: visitGuard(ports.storefront),
    submit: visitGuard(ports.storefront, (request, visit) => visits.set(request, visit)),
  };
  const groupCommit = submitting(ports);
  const submit: Commerce['submit'] = async (one) => {
    ports.tenancy.spend(one.key.tenant, 'submissions', 1);
    const submission = await groupCommit(one);
    counts.note(one.key, one.formId, 'submitted');
    return submission;
  };
  const admission = createAdmission(ports);
  const site = keyGuard(ports.storefront);
  const pages = createProductPages(ports);
  const { sessions } = ports.checkout;
  const open = [
    ...storefrontRoutes(guards, { ...ports, counts, submit }),
    ...productRoutes(site, { ...ports, pages }),
    ...collectionRoutes(site, ports),
    ...cartRoutes(site, { ...ports, secret: sessions.secret }),
    ...checkoutRoutes(site, { ...ports, sessions }),
    ...orderRoutes(site, { ...ports, ...ports.orders }),
  ];
  return {
    routes: [...submissionRoutes(member), ...refusalRoutes(member), ...countRoutes(member), ...erasureRoutes(member)],
    storefrontRoutes: open,
    mount: (scope) => {
      mountStorefront(scope, open, visits, { notes, counts }, admission, ports);
      mountSdk(scope, { example: ports.examplePage === true ? createSays({ ...ports, pages }) : undefined });
    },
    quickly: (route) => quickly({ ...ports, pages, counts }, admission, route),
    submit,
    start: () => {
      notes.start();
      counts.start();
    },
    [Symbol.asyncDispose]: async () => {
      await Promise.all([notes.stop(), counts.stop()]);
    },
  };
}

/** What commerce is given; it makes the rest of its ports of it. */
export interface CommerceNeeds extends Omit<CommercePorts, 'limits' | 'tellsContact' | 'examplePage'> {
  readonly config: CommerceSettings & Pick<ProcessConfig, 'production'>;
}

/** The submissions that people read by a link in an email are served at the portal's address, where they sign in. */
export function create({ config, ...ports }: CommerceNeeds): Commerce & {
  readonly serves: readonly [
    {
      readonly at: 'commerce';
      readonly documented: readonly Route[];
      readonly routes: readonly Route[];
      register(scope: Scope): void;
    },
    { readonly at: 'portal'; readonly routes: readonly Route[] },
  ];
} {
  const { identity, addresses } = ports;
  const commerce = createCommerce({
    ...ports,
    limits: config.storefront,
    tellsContact: config.storefront.tellsContact,
    examplePage: !config.production,
  });
  return {
    ...commerce,
    serves: [
      { at: 'commerce', documented: commerce.storefrontRoutes, routes: commerce.routes, register: commerce.mount },
      { at: 'portal', routes: submissionPageRoutes(identity.tenant(addresses.portal)) },
    ],
  };
}
