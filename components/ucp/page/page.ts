import {
  type BuyerCheckout as Checkout,
  completeCheckout,
  confirmCheckout,
  getCheckout,
  isToken,
  paymentSecrets,
  type Holding,
  type SessionDeps,
  type Shop,
  tokenDigest,
  tokenOf,
  updateCheckout,
} from '@steward/checkout';
import {
  formHeaders,
  isId,
  Problem,
  publicUrlOf,
  type Reply,
  type Request,
  type Scope,
  takeFiles,
} from '@steward/kernel';
import type { TenantContext } from '@steward/sql';
import type { OpenDoor, UcpPorts } from '../ports.ts';
import { base } from '../rest/routes.ts';
import { agreedTotal, changeOf, readForm, seenOf, type Typed, usualOption, withOption } from './form.ts';
import { changedMeanwhile, checkoutPage, faultOf, gonePage, type Shown } from './words.ts';

const visits = { name: 'ucp-checkout-page', allowed: 120, windowSeconds: 60 };
const mostBytes = 32 * 1024;
/** What the page shows a person is not what their agent was shown; the button says its own total. */
const unseen = { shown: false };
/** Where a buyer goes on with a checkout of an agent: no login, no script; the link opens it. */
export function checkoutPages(
  scope: Scope,
  { agentic, tenancy, addresses, limiter }: Pick<UcpPorts, 'agentic' | 'tenancy' | 'addresses' | 'limiter'>,
  sessions: SessionDeps,
): void {
  interface Opened {
    readonly context: TenantContext;
    readonly shop: Shop;
    readonly holding: Holding;
    readonly checkout: Checkout;
    /** What the brand is called; undefined where it has just gone. */
    readonly seller: string | undefined;
    readonly links: OpenDoor['links'];
  }
  const opened = async (request: Request): Promise<Opened | undefined> => {
    const { brandId, id } = request.params as { brandId: string; id: string };
    const { t: token } = request.query as { t?: unknown };
    if (typeof token !== 'string' || !isId(brandId) || !isId(id)) return undefined;
    // Before its visits are counted: whoever has the id alone could shut its buyer out.
    if (!isToken(token, tokenDigest(tokenOf(sessions.secret, id)))) return undefined;
    const { refusal } = await limiter.take([{ limit: visits, key: id }]);
    if (refusal !== undefined) throw refusal;
    const door = await agentic.doorOf(brandId, 'ucp');
    if (door === undefined) return undefined;
    const context = buyerOf(tenancy, door, request.id);
    const shop = { siteId: null, keyId: null, agentId: null, brandId, mode: door.mode, mediaAt: addresses.commerce };
    const holding = { id, token };
    try {
      const [checkout, seller] = await Promise.all([
        getCheckout(context, shop, holding, sessions, unseen),
        agentic.nameOf(door),
      ]);
      return { context, shop, holding, checkout, seller, links: door.links };
    } catch (error) {
      if (error instanceof Problem && error.code === 'not_found') return undefined;
      throw error;
    }
  };
  const send = (reply: Reply, checkout: Checkout, shown: Shown): Reply =>
    reply.code(200).headers(formHeaders).send(checkoutPage(checkout, shown));

  /** The checkout of a card that its issuer wants to be confirmed, as the provider says it now, and where the buyer does that. */
  const confirmedMeanwhile = async ({ context, shop, holding, checkout }: Opened) => {
    if (checkout.status !== 'completing' || checkout.payment?.action?.kind !== 'stripe') return { checkout };
    try {
      const { answer } = await confirmCheckout(context, shop, holding, {}, sessions);
      if (answer.status !== 'completing') return { checkout: answer };
      const { redirectUrl } = await paymentSecrets(context, shop, holding, sessions);
      return { checkout: answer, issuer: redirectUrl };
    } catch (error) {
      // It has gone on meanwhile.
      if (!(error instanceof Problem) || error.status >= 500) throw error;
      return { checkout: await getCheckout(context, shop, holding, sessions, unseen) };
    }
  };
  const gone = (reply: Reply): Reply => reply.code(404).headers(formHeaders).send(gonePage);

  async function act({ context, shop, holding, checkout }: Opened, typed: Typed): Promise<string[]> {
    if (typed.intent === 'confirm_succeed' || typed.intent === 'confirm_decline') {
      const outcome = typed.intent === 'confirm_succeed' ? 'succeed' : 'decline';
      await confirmCheckout(context, shop, holding, { outcome }, sessions);
      return [];
    }
    const { change, faults, state } = changeOf(checkout, typed);
    if (faults.length > 0) return faults;
    // The agent may put something else of the same price into it while its buyer reads the page.
    if (typed.intent === 'buy' && typed.seen !== seenOf(checkout)) return [changedMeanwhile];
    let { version } = checkout;
    const buying = typed.intent === 'buy';
    const { answer } = await updateCheckout(context, shop, holding, change, sessions, {
      doorState: state,
      lenient: true,
      buying,
      version,
    });
    ({ version } = answer);
    const usual = usualOption(answer);
    if (usual !== undefined)
      ({
        answer: { version },
      } = await updateCheckout(context, shop, holding, { shippingOptionId: usual }, sessions, {
        doorState: withOption(state, usual),
        lenient: true,
        buying,
        version,
      }));
    if (!buying) return [];
    const [handler = '', method = ''] = typed.payment.split('/');
    const payment = typed.payment === '' ? undefined : { handler, method };
    await completeCheckout(context, shop, holding, { payment, total: agreedTotal(typed) }, sessions, { version });
    return [];
  }

  void scope.register(async (own) => {
    takeFiles(own, ['application/x-www-form-urlencoded'], mostBytes);
    own.get(`${base}/checkout/:id`, async (request, reply) => {
      const found = await opened(request);
      if (found === undefined) return gone(reply);
      const { seller, links } = found;
      const { checkout, issuer } = await confirmedMeanwhile(found);
      return send(reply, checkout, { seller, links, issuer });
    });
    own.post(`${base}/checkout/:id`, async (request, reply) => {
      const found = await opened(request);
      if (found === undefined) return gone(reply);
      const typed = readForm(Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0));
      let faults: string[];
      try {
        faults = await act(found, typed);
      } catch (error) {
        if (!(error instanceof Problem) || error.status >= 500) throw error;
        faults = [faultOf(error)];
      }
      // Who loads the page again sends nothing again.
      if (faults.length === 0)
        return reply.code(303).headers(formHeaders).header('location', whereOf(request, addresses.commerce)).send();
      const { context, shop, holding, seller, links } = found;
      return send(reply, await getCheckout(context, shop, holding, sessions, unseen), { seller, links, faults, typed });
    });
  });
}

function buyerOf(tenancy: UcpPorts['tenancy'], { tenant }: Pick<OpenDoor, 'tenant'>, requestId: string): TenantContext {
  const buyer = { type: 'service', id: 'checkout-page' } as const;
  return tenancy.systemContext({
    tenant,
    chain: [buyer],
    subject: buyer,
    caller: buyer,
    requestId,
    correlationId: requestId,
  });
}

/** The address of the page itself, at the host that it is shown at. */
function whereOf({ raw }: Request, commerce: string): string {
  const { pathname, search } = new URL(publicUrlOf(raw, commerce));
  return `${pathname}${search}`;
}
