import {
  type BuyerCheckout as Checkout,
  confirmCheckout,
  getCheckout,
  paymentSecrets,
  type SessionDeps,
  tokenOf,
} from '@steward/checkout';
import { formHeaders, html, type Html, isId, pageText, Problem, type Reply, type Scope } from '@steward/kernel';
import { mannerOf } from '@steward/orders';
import type { AcpPorts } from '../ports.ts';
import { base } from '../rest/routes.ts';
import { isAtBank, opens } from './link.ts';

const { money } = mannerOf('en');
const visits = { name: 'acp-checkout-page', allowed: 120, windowSeconds: 60 };
/** What a buyer does for a session of their agent: no login, no script. All else is the agent's to do. */
export function buyerPages(
  scope: Scope,
  { agentic, tenancy, addresses, limiter }: Pick<AcpPorts, 'agentic' | 'tenancy' | 'addresses' | 'limiter'>,
  sessions: SessionDeps,
): void {
  const { secret } = sessions;
  scope.get(`${base}/checkout/:id`, async (request, reply): Promise<Reply> => {
    const { brandId, id } = request.params as { brandId: string; id: string };
    const { t: token } = request.query as { t?: unknown };
    const send = (status: number, text: string): Reply => reply.code(status).headers(formHeaders).send(text);
    const known = isId(brandId) && isId(id) && typeof token === 'string' && token.length <= 100;
    if (!known || !opens(token, secret, id)) return send(404, gonePage);
    const { refusal } = await limiter.take([{ limit: visits, key: id }]);
    if (refusal !== undefined) throw refusal;
    const door = await agentic.doorOf(brandId, 'acp');
    if (door === undefined) return send(404, gonePage);
    const { mode, tenant } = door;
    const buyer = { type: 'service', id: 'checkout-page' } as const;
    const who = { chain: [buyer], subject: buyer, caller: buyer, requestId: request.id, correlationId: request.id };
    const context = tenancy.systemContext({ tenant, ...who });
    const shop = { siteId: null, keyId: null, agentId: null, brandId, mode, mediaAt: addresses.commerce };
    const holding = { id, token: tokenOf(secret, id) };
    const current = async (): Promise<Checkout> => getCheckout(context, shop, holding, sessions, { shown: false });
    let checkout: Checkout;
    let bank: string | undefined;
    try {
      checkout = await current();
      if (isAtBank(checkout)) {
        // The provider says what the buyer did there; where they did nothing yet, it says where.
        checkout = (await confirmCheckout(context, shop, holding, {}, sessions)).answer;
        if (isAtBank(checkout)) bank = (await paymentSecrets(context, shop, holding, sessions))['redirectUrl'];
      }
    } catch (error) {
      if (!(error instanceof Problem) || error.status >= 500) throw error;
      if (error.code === 'not_found') return send(404, gonePage);
      // It has gone on meanwhile.
      checkout = await current();
    }
    return send(200, pageOf(checkout, { bank, seller: await agentic.nameOf(door) }));
  });
}

/** @param told.seller what the brand is called; undefined where it has just gone */
function pageOf(
  checkout: Checkout,
  { bank, seller }: { readonly bank: string | undefined; readonly seller: string | undefined },
): string {
  const { status, order, mode, total } = checkout;
  const page = (title: string, body: Html): string =>
    pageText(
      seller === undefined ? title : `${title} · ${seller}`,
      html`${seller === undefined ? html`` : html`<p><bdi>${seller}</bdi></p>`}
        <h1>${title}</h1>
        ${mode === 'test' ? html`<p class="note">This is a test: nothing is charged or sent.</p>` : html``}${body}`,
    );
  if (status === 'completed' && order !== null)
    return page(
      'Thank you for your order',
      html`<p><a href="${order.statusUrl}">See order ${order.number}</a></p>
        <p>You can go back to your assistant.</p>`,
    );
  if (bank !== undefined)
    return page(
      'Your bank wants to see that it is you',
      html`<p>You pay ${money(total)}.</p>
        <p><a href="${bank}" rel="noreferrer">Confirm the payment</a></p>`,
    );
  if (status === 'completing')
    return page('The payment is being settled', html`<p>Load this page again in a moment.</p>`);
  return page('Nothing was bought', html`<p>Go back to your assistant: the payment was not made.</p>`);
}

const gonePage = pageText(
  'Nothing is here',
  html`<h1>Nothing is here</h1>
    <p>There is no such order to go on with, or the link is not whole.</p>`,
);
