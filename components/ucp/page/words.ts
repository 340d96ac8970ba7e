import type { BuyerCheckout as Checkout } from '@steward/checkout';
import { html, type Html, pageText, type Money } from '@steward/kernel';
import { titleOf } from '../checkout/lines.ts';

const shown = ({ amount, currency }: Money): string => `${amount} ${currency}`;
const methods: Readonly<Record<string, string>> = {
  invoice: 'Invoice',
  bank_transfer: 'Bank transfer',
  cash_on_delivery: 'Cash on delivery',
  succeed: 'Test: succeeds',
  decline: 'Test: is declined',
  require_action: 'Test: asks to be confirmed',
};
const byForm = new Set(['manual', 'test']);

const field = (name: string, label: string, value: string, more: Html = html``): Html =>
  html`<p>
    <label>${label}<br /><input name="${name}" value="${value}" maxlength="200" ${more} /></label>
  </p>`;

const radio = (name: string, value: string, label: string, checked: boolean): Html =>
  html`<p>
    <label><input type="radio" name="${name}" value="${value}" ${checked ? html`checked` : html``} /> ${label}</label>
  </p>`;

function summary({ lines, discount, shipping, tax, pricesIncludeTax, total }: Checkout): Html {
  const row = (name: string, amount: string) =>
    html`<tr>
      <th scope="row">${name}</th>
      <td>${amount}</td>
    </tr>`;
  return html`<table>
    <tbody>
      ${lines.map((line) => row(`${line.quantity} × ${titleOf(line.title, line.options)}`, shown(line.total)))}
      ${Number(discount.amount) === 0 ? html`` : row('Discounts', `−${shown(discount)}`)}
      ${shipping === null ? html`` : row('Shipping', shown(shipping))}
      ${tax === null || Number(tax.amount) === 0 ? html`` : row(pricesIncludeTax ? 'Tax in it' : 'Tax', shown(tax))}
      ${row('Total', shown(total))}
    </tbody>
  </table>`;
}

function form(checkout: Checkout): Html {
  const { shippingAddress: to, shippingOptions, shippingOptionId, paymentHandlers, email, shippingRequired } = checkout;
  const ways = paymentHandlers
    .filter(({ handler }) => byForm.has(handler))
    .flatMap(({ handler, methods: all }) =>
      all
        .filter((one) => one !== 'time_out')
        .map((one) => ({ value: `${handler}/${one}`, label: methods[one] ?? one })),
    );
  const options = shippingOptions.filter(({ kind }) => kind !== 'pickup');
  const free = Number(checkout.total.amount) === 0;
  return html`<form method="post">
    <h2>You</h2>
    ${field('email', 'E-mail', email ?? '', html`type="email" required autocomplete="email"`)}
    ${field('name', 'Name', checkout.name ?? to?.name ?? '', html`autocomplete="name"`)}
    ${
      shippingRequired
        ? html`<h2>Where it goes</h2>
            ${field('line1', 'Street and number', to?.line1 ?? '', html`required autocomplete="address-line1"`)}
            ${field('line2', 'More of the address', to?.line2 ?? '', html`autocomplete="address-line2"`)}
            ${field('postcode', 'Postcode', to?.postcode ?? '', html`autocomplete="postal-code"`)}
            ${field('city', 'Town or city', to?.city ?? '', html`required autocomplete="address-level2"`)}
            ${field('region', 'State or region', to?.region ?? '', html`autocomplete="address-level1"`)}
            ${field('country', 'Country, two letters', to?.country ?? '', html`required autocomplete="country"`)}
            ${options.map(({ id, name, due }) => radio('option', id, `${name}: ${shown(due)}`, id === shippingOptionId))}`
        : html``
    }
    <p><button name="intent" value="save">Save</button></p>
    ${
      ways.length === 0 && !free
        ? html`<p class="warning">Nobody can pay here: ask the shop how.</p>`
        : html`<h2>Payment</h2>
            ${free ? html`` : ways.map(({ value, label }, at) => radio('payment', value, label, at === 0))}
            <p><button name="intent" value="buy">Buy for ${shown(checkout.total)}</button></p>`
    }
  </form>`;
}

function step({ payment }: Checkout): Html {
  const action = payment?.action;
  if (action == null) return html`<p>The payment is being settled. Load this page again in a moment.</p>`;
  if (action.kind === 'confirm')
    return html`<form method="post">
      <p>Confirm the payment.</p>
      <p>
        <button name="intent" value="confirm_succeed">Confirm</button>
        <button name="intent" value="confirm_decline">Decline</button>
      </p>
    </form>`;
  return action.url === undefined
    ? html`<p class="warning">The payment must be confirmed in the shop.</p>`
    : html`<p><a href="${action.url}" rel="noreferrer">Confirm the payment</a></p>`;
}

const states: Readonly<Record<string, string>> = {
  completed: 'Bought',
  cancelled: 'Cancelled',
  expired: 'Its time is over',
};

/** The page of a checkout. @param faults why nothing was done */
export function checkoutPage(checkout: Checkout, faults: readonly string[] = []): string {
  const title = states[checkout.status] ?? 'Your order';
  const told = [...faults, ...checkout.messages.map(({ text }) => text)];
  return pageText(
    title,
    html`<h1>${title}</h1>
      ${checkout.mode === 'test' ? html`<p class="warning">This is a test: nothing is bought.</p>` : html``}
      ${told.map((text) => html`<p class="warning" role="alert">${text}</p>`)} ${summary(checkout)}
      ${
        checkout.status === 'completed' && checkout.order !== null
          ? html`<p><a href="${checkout.order.statusUrl}">Order ${checkout.order.number}</a></p>`
          : checkout.status === 'completing'
            ? step(checkout)
            : checkout.status === 'open' || checkout.status === 'ready'
              ? form(checkout)
              : html`<p>Nothing more can be done with it.</p>`
      }`,
  );
}

export const gonePage = pageText(
  'Nothing is here',
  html`<h1>Nothing is here</h1>
    <p>There is no such order to go on with, or the link is not whole.</p>`,
);
