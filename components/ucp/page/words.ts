import type { BuyerCheckout as Checkout } from '@steward/checkout';
import type { Links } from '@steward/agentic';
import { countryCodes, html, type Html, navigation, pageText, type Problem, dictionary } from '@steward/kernel';
import { mannerOf, pageLinks } from '@steward/orders';
import { titleOf } from '../checkout/lines.ts';
import { seenOf, type Typed } from './form.ts';
import { optionsOf, stateOf } from '../checkout/state.ts';

/** What a page shows beside the checkout. */
export interface Shown {
  /** What the brand is called. */
  readonly seller: string | undefined;
  /** Its pages for buyers. */
  readonly links: Links;
  /** Why nothing was done. */
  readonly faults?: readonly string[];
  /** What the buyer typed, where it was not taken: they need not type it again. */
  readonly typed?: Typed;
  /** Where the bank of the buyer wants the payment to be confirmed. */
  readonly issuer?: string | undefined;
}

const { money, country, count } = mannerOf('en');
const countries = countryCodes
  .map((code) => ({ code, name: country(code) }))
  .toSorted((one, other) => one.name.localeCompare(other.name, 'en'));

/** Those that goods can go to, and the one that is chosen; all, where nobody has said or there are none. */
function countriesFor({ shippingCountries: served }: Checkout, chosen: string) {
  return served === null || served.length === 0
    ? countries
    : countries.filter(({ code }) => code === chosen || served.includes(code));
}

/** What can be paid by without a program in the browser. */
const byForm = new Set(['manual', 'test']);
const methods = dictionary<string>({
  invoice: 'Invoice',
  bank_transfer: 'Bank transfer',
  cash_on_delivery: 'Cash on delivery',
  succeed: 'Test: succeeds',
  decline: 'Test: is declined',
  require_action: 'Test: asks to be confirmed',
});

export const changedMeanwhile = 'Nothing was done, because the order was changed meanwhile. Look at it, and go on.';
const faults = dictionary<string>({
  checkout_changed: 'Nothing was bought, because the total is another one now. Look at it, and buy again.',
  version_changed: changedMeanwhile,
  checkout_not_ready: 'Nothing was bought, because something is missing. Fill it in below, and continue.',
});
/** What a buyer is told in place of what a program is told. */
export const faultOf = ({ code, detail }: Problem): string => faults[code] ?? detail;

const optional = html`<small>(optional)</small>`;

interface Field {
  readonly name: keyof Typed;
  readonly label: string | Html;
  readonly autocomplete: string;
  readonly kept: string | null | undefined;
  readonly needed?: boolean;
  readonly type?: string;
}

function field({ name, label, autocomplete, kept, needed = false, type = 'text' }: Field, typed?: Typed): Html {
  return html`<label
    >${label} ${needed ? html`` : optional}
    <input
      name="${name}"
      type="${type}"
      value="${typed?.[name] ?? kept ?? ''}"
      maxlength="200"
      autocomplete="${autocomplete}"
      ${needed ? html`required` : html``}
  /></label>`;
}

const choice = (
  name: string,
  { value, label, cost, chosen }: { value: string; label: string; cost?: string; chosen: boolean },
): Html =>
  html`<label class="choice"
    ><input type="radio" name="${name}" value="${value}" ${chosen ? html`checked` : html``} /><span>${label}</span>${
      cost === undefined ? html`` : html`<span class="amount">${cost}</span>`
    }</label
  >`;

function summary({ lines, discount, shipping, tax, pricesIncludeTax, total }: Checkout): Html {
  const row = (name: string | Html, amount: string | Html) =>
    html`<tr>
      <th scope="row" class="plain">${name}</th>
      <td class="amount">${amount}</td>
    </tr>`;
  const taxRow =
    tax === null || Number(tax.amount) === 0 ? html`` : row(pricesIncludeTax ? 'including tax' : 'Tax', money(tax));
  return html`<table>
    <tbody>
      ${lines.map((line) => row(`${count(line.quantity)} × ${titleOf(line.title, line.options)}`, money(line.total)))}
      ${Number(discount.amount) === 0 ? html`` : row('Discounts', money({ ...discount, amount: `-${discount.amount}` }))}
      ${shipping === null ? html`` : row('Shipping', money(shipping))} ${pricesIncludeTax ? html`` : taxRow}
      ${row(html`<strong>Total</strong>`, html`<strong>${money(total)}</strong>`)} ${pricesIncludeTax ? taxRow : html``}
    </tbody>
  </table>`;
}

const isFetched = (checkout: Checkout): boolean => stateOf(checkout).fulfillment?.pickup === true;

function destination(checkout: Checkout, typed?: Typed): Html {
  const { shippingAddress: to, shippingRequired } = checkout;
  if (!shippingRequired) return html``;
  if (isFetched(checkout))
    return html`<h2>You fetch the goods at</h2>
      <p>${[to?.company, to?.line1, to?.line2, to?.postcode, to?.city].filter((one) => one != null).join(', ')}</p>`;
  const chosen = typed?.country.toUpperCase() ?? to?.country ?? '';
  return html`<h2>Delivery address</h2>
    <label
      >Country
      <select name="country" required autocomplete="country">
        <option value="">Please choose</option>
        ${countriesFor(checkout, chosen).map(
          ({ code, name }) =>
            html`<option value="${code}" ${code === chosen ? html`selected` : html``}>${name}</option>`,
        )}
      </select></label
    >
    ${field({ name: 'line1', label: 'Street and number', autocomplete: 'address-line1', kept: to?.line1, needed: true }, typed)}
    ${field({ name: 'line2', label: 'Apartment, floor', autocomplete: 'address-line2', kept: to?.line2 }, typed)}
    ${field({ name: 'postcode', label: 'Postcode', autocomplete: 'postal-code', kept: to?.postcode }, typed)}
    ${field({ name: 'city', label: 'Town or city', autocomplete: 'address-level2', kept: to?.city, needed: true }, typed)}
    ${field({ name: 'region', label: 'State or region', autocomplete: 'address-level1', kept: to?.region }, typed)}`;
}

function delivery(checkout: Checkout): Html {
  const { shippingOptionId } = checkout;
  const options = optionsOf(checkout);
  if (options.length === 0) return html``;
  return html`<h2>${isFetched(checkout) ? 'Pickup' : 'Shipping'}</h2>
    ${options.map(({ id, name, due }) =>
      choice('option', { value: id, label: name, cost: money(due), chosen: id === shippingOptionId }),
    )}`;
}

function form(checkout: Checkout, typed?: Typed): Html {
  const { shippingAddress: to, paymentHandlers, email, total } = checkout;
  const ways = paymentHandlers
    .filter(({ handler }) => byForm.has(handler))
    .flatMap(({ handler, methods: all }) =>
      all
        .filter((one) => one !== 'time_out')
        .map((one) => ({ value: `${handler}/${one}`, label: methods[one] ?? one })),
    );
  const free = Number(total.amount) === 0;
  const byCard = paymentHandlers.some(({ handler }) => handler === 'card');
  const asked = typed?.payment ?? '';
  const paying =
    checkout.status !== 'ready'
      ? html`<p><button class="first" name="intent" value="save">Continue</button></p>`
      : ways.length === 0 && !free
        ? html`<p class="warning">
            ${
              byCard
                ? 'This shop takes cards, and your assistant gives them: go back to it to pay. No card can be typed here.'
                : 'Nobody can pay here: ask the shop how.'
            }
          </p>`
        : html`${free ? html`` : html`<h2>Payment</h2>`}
            ${
              free
                ? html``
                : ways.map(({ value, label }, at) =>
                    choice('payment', { value, label, chosen: asked === '' ? at === 0 : value === asked }),
                  )
            }
            <input type="hidden" name="total" value="${total.amount} ${total.currency}" />
            <input type="hidden" name="seen" value="${seenOf(checkout)}" />
            <p>
              <button class="first" name="intent" value="buy">Buy for ${money(total)}</button>
              <button name="intent" value="save">Save changes</button>
            </p>`;
  // What the key Enter does is the first button, and it buys nothing.
  return html`<form method="post">
    <button name="intent" value="save" hidden></button>
    <h2>Contact</h2>
    ${field({ name: 'email', label: 'E-mail', autocomplete: 'email', kept: email, needed: true, type: 'email' }, typed)}
    ${field({ name: 'name', label: 'Full name', autocomplete: 'name', kept: checkout.name ?? to?.name, needed: true }, typed)}
    ${destination(checkout, typed)} ${delivery(checkout)} ${paying}
  </form>`;
}

function step({ payment }: Checkout, issuer: string | undefined): Html {
  const action = payment?.action;
  if (action == null) return html`<p>The payment is being settled. Load this page again in a moment.</p>`;
  if (action.kind === 'confirm')
    return html`<form method="post">
      <p>Confirm the payment.</p>
      <p>
        <button class="first" name="intent" value="confirm_succeed">Confirm</button>
        <button name="intent" value="confirm_decline">Decline</button>
      </p>
    </form>`;
  const where = action.url ?? issuer;
  return where === undefined
    ? html`<p class="warning">
        The payment waits for a card, which your agent gives. Load this page again in a moment.
      </p>`
    : html`<p>Your bank wants to see that it is you.</p>
        <p><a href="${where}" rel="noreferrer">Confirm the payment</a></p>`;
}

const states = dictionary<string>({
  completed: 'Thank you for your order',
  cancelled: 'This checkout was cancelled',
  expired: 'This checkout has expired',
});

function rest(checkout: Checkout, typed?: Typed, issuer?: string): Html {
  const { status, order, email, mode } = checkout;
  if (status === 'completed' && order !== null)
    return html`<p><a href="${order.statusUrl}">See order ${order.number}</a></p>
      ${email === null || mode === 'test' ? html`` : html`<p>We write to <bdi>${email}</bdi>.</p>`}`;
  if (status === 'completing') return step(checkout, issuer);
  if (status === 'open' || status === 'ready') return form(checkout, typed);
  return html`<p>Nothing was bought by it. Ask the assistant that sent you here to begin again.</p>`;
}

/** The page of a checkout. */
export function checkoutPage(checkout: Checkout, { seller, links, faults: why = [], typed, issuer }: Shown): string {
  const title = states[checkout.status] ?? 'Your order';
  const told = [...why, ...checkout.messages.map(({ text }) => text)];
  return pageText(
    seller === undefined ? title : `${title} · ${seller}`,
    html`${seller === undefined ? html`` : html`<p><bdi>${seller}</bdi></p>`}
      <h1>${title}</h1>
      ${checkout.mode === 'test' ? html`<p class="note">This is a test: nothing is charged or sent.</p>` : html``}
      ${told.map((text) => html`<p class="warning" role="alert">${text}</p>`)} ${summary(checkout)}
      ${rest(checkout, typed, issuer)} ${navigation(pageLinks(links, 'en'))}`,
  );
}

export const gonePage = pageText(
  'Nothing is here',
  html`<h1>Nothing is here</h1>
    <p>There is no such order to go on with, or the link is not whole.</p>`,
);
