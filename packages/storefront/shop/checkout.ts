import { StorefrontError } from '../client/error.ts';
import type { Checkout, CheckoutChange, ShippingOption } from '../client/shop-types.ts';
import { make, mark, say } from '../element/dom.ts';
import { addressForm, type AddressForm } from './address.ts';
import { button, ShopElement, type Key } from './base.ts';
import { codesBox } from './codes.ts';
import { field, type Field } from './field.ts';
import { lineHead, totals } from './lines.ts';
import { days, isNothing } from './money.ts';
import { countriesIn, countryOf } from './places.ts';

/** Why nothing can be shipped; told where it would be chosen. */
const unshipped = /^(country_not_served|no_shipping_option)$/;
/** Milliseconds between two looks at a payment whose outcome is not known yet. */
const looking = 2000;

/** What the buyer types into, made once, so that nothing that is drawn anew takes it away. */
interface Form {
  readonly email: Field;
  readonly marketing: HTMLInputElement;
  readonly shipping: AddressForm;
  readonly billing: AddressForm;
  readonly same: HTMLInputElement;
  readonly vatNumber: Field;
  readonly note: Field;
  readonly spoken: string;
  readonly main: HTMLFormElement;
  readonly testing: HTMLElement;
  /** Of the address that is shipped to. */
  readonly address: HTMLElement;
  readonly options: HTMLElement;
  readonly payments: HTMLElement;
  readonly problem: HTMLElement;
  readonly total: HTMLElement;
  readonly pay: HTMLButtonElement;
}

/** One of several, of which `chosen` is. */
function choice(name: string, value: string, chosen: string | null, choose: () => void): HTMLInputElement {
  const input = make('input', { type: 'radio', name, value, id: `${name}-${value}`, part: 'box' });
  input.checked = value === chosen;
  input.addEventListener('change', choose);
  return input;
}

/** `<storefront-checkout sdk-key shop-url>`: from the visitor's cart to the order, on one page. */
export class StorefrontCheckoutElement extends ShopElement {
  static override readonly observedAttributes = [
    ...ShopElement.observedAttributes,
    'shop-url',
    'country',
    'countries',
    'marketing-consent',
  ];

  #checkout: Checkout | undefined;
  #form: Form | undefined;
  #method = '';
  #busy = false;
  #problem = '';
  #open: boolean | undefined;
  #sent: CheckoutChange = {};
  #saving: Promise<void> | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** As the server knows it. */
  get checkout(): Checkout | undefined {
    return this.#checkout;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.#timer);
  }

  protected override async load(signal: AbortSignal): Promise<void> {
    const { checkout, cart } = this.shop;
    const known = await checkout.get({ signal });
    // What was bought, or is being paid, is shown; else the cart decides, as it is now.
    if (known?.status === 'completed' || known?.status === 'completing') this.#checkout = known;
    else {
      const found = await cart.get({ signal });
      this.#checkout = found?.lines.length ? await checkout.create(undefined, { signal }) : undefined;
    }
    this.#form = undefined;
    if (!signal.aborted) this.#watchPayment();
  }

  protected override content(): Node[] {
    const checkout = this.#checkout;
    if (!checkout?.lines.length || /cancelled|expired/.test(checkout.status)) return [this.empty()];
    if (checkout.status === 'completed') return this.#thanks(checkout);
    if (checkout.status === 'completing') return [this.#columns(this.#step(checkout), this.#side(checkout))];
    const main = this.#main(checkout);
    const side = this.#side(checkout);
    const { parentElement } = main;
    if (!parentElement) return [this.#columns(main, side)];
    parentElement.lastChild?.replaceWith(side);
    return [parentElement];
  }

  #columns(...children: Node[]): HTMLElement {
    return make('div', { part: 'columns checkout' }, ...children);
  }

  /** What is typed into stays where it is: only what the server decides is drawn anew. */
  #main(checkout: Checkout): HTMLElement {
    const { words } = this;
    if (this.#form?.spoken !== words.spoken) this.#form = this.#make(checkout);
    const form = this.#form as Form;
    const { shippingRequired } = checkout;
    form.address.hidden = !shippingRequired;
    form.billing.root.hidden = shippingRequired && form.same.checked;
    form.options.replaceChildren(this.#shippingOptions(checkout));
    form.payments.hidden = isNothing(checkout.total);
    form.payments.replaceChildren(this.#payments(checkout));
    form.total.textContent = this.price(checkout.total);
    form.pay.textContent = this.#busy ? words.paying : words.pay;
    mark(form.pay, 'aria-disabled', this.#busy && 'true');
    say(form.problem, this.#problem);
    form.testing.hidden = checkout.mode !== 'test';
    return form.main;
  }

  #make(checkout: Checkout): Form {
    const { words } = this;
    const country = this.said('country') || countryOf(words.spoken);
    const address = (kind: 'shipping' | 'billing', title: string): AddressForm => {
      // Where goods cannot go nobody is let choose; a bill may go anywhere.
      const served = kind === 'shipping' && checkout.shippingCountries;
      const countries = countriesIn(words.spoken, this.said('countries') || String(served || ''));
      const made = addressForm(words, kind, this.heading(title, 0), countries, country);
      const known = checkout[`${kind}Address`];
      if (known) made.write(known);
      return made;
    };
    const box = (id: string, checked: boolean): HTMLInputElement => {
      const made = make('input', { type: 'checkbox', part: 'box', id });
      made.checked = checked;
      return made;
    };
    const section = (title: string, ...children: Node[]): HTMLElement =>
      make('section', { part: 'section' }, this.heading(title), ...children);
    const shipping = address('shipping', words.shippingAddress);
    const billing = address('billing', words.billingAddress);
    const parts = {
      email: field(words, { pointer: '/email', label: words.email, type: 'email', autocomplete: 'email' }),
      marketing: box('marketing', checkout.marketingConsent),
      shipping,
      billing,
      same: box('same', !checkout.billingAddress || alike(checkout.billingAddress, checkout.shippingAddress)),
      vatNumber: field(words, { pointer: '/vatNumber', label: words.vatNumber, spare: true }),
      note: field(words, { pointer: '/note', label: words.note, spare: true }),
      spoken: words.spoken,
      testing: make('p', { part: 'message test' }, words.test),
      options: make('div'),
      payments: make('div'),
      problem: make('div', { part: 'problem', role: 'alert', tabindex: '-1' }),
      total: make('strong'),
      pay: make('button', { part: 'button pay', id: 'pay' }),
    };
    const { email, marketing, same, vatNumber, note, testing, options, payments, problem, total, pay } = parts;
    const contact = section(words.contact, email.root);
    if (this.hasAttribute('marketing-consent'))
      contact.append(make('label', { part: 'choice' }, marketing, words.marketing));
    const shipped = make('div', { part: 'main' }, shipping.root, make('label', { part: 'choice' }, same, words.same));
    const ways = section(words.shipping, options);
    const extras = make('details', { part: 'extras' }, make('summary', {}, words.extras), vatNumber.root, note.root);
    extras.open = Boolean(checkout.vatNumber || checkout.note);
    const sum = make('div', { part: 'bar-total' }, make('span', {}, words.total), total);
    const main = make(
      'form',
      { part: 'main', novalidate: '' },
      testing,
      contact,
      shipped,
      billing.root,
      ways,
      section(words.payment, payments),
      extras,
      problem,
      make('div', { part: 'bar' }, sum, pay),
    );
    main.addEventListener('submit', (event) => {
      event.preventDefault();
      void this.complete();
    });
    ways.hidden = !checkout.shippingRequired;
    const form: Form = { ...parts, address: shipped, main };
    form.email.input.value = checkout.email ?? '';
    form.vatNumber.input.value = checkout.vatNumber ?? '';
    form.note.input.value = checkout.note ?? '';
    form.same.addEventListener('change', () => this.draw());
    for (const input of [...this.#fields(form).map((one) => one.input), form.marketing, form.same])
      input.addEventListener('change', () => void this.#save());
    this.#sent = {};
    return form;
  }

  #fields(form = this.#form): Field[] {
    if (!form) return [];
    return [form.email, ...form.shipping.fields, ...form.billing.fields, form.vatNumber, form.note];
  }

  /** Those that the buyer is asked to fill in. */
  #asked(): Field[] {
    return this.#fields().filter(({ root }) => root.checkVisibility());
  }

  /** What was typed and is whole, as a change of the checkout. */
  #typed(): CheckoutChange {
    const form = this.#form as Form;
    const { shippingRequired } = this.#checkout as Checkout;
    const shippingAddress = shippingRequired ? form.shipping.read() : undefined;
    const billingAddress = shippingRequired && form.same.checked ? shippingAddress : form.billing.read();
    return {
      ...(!form.email.fault() && { email: form.email.value() }),
      ...(shippingAddress && { shippingAddress }),
      ...(billingAddress && { billingAddress }),
      vatNumber: form.vatNumber.value() || null,
      note: form.note.value() || null,
      ...(this.hasAttribute('marketing-consent') && { marketingConsent: form.marketing.checked }),
    };
  }

  /** Sends what has changed since it was sent last. @returns once that, or what was sent last, is answered */
  #save(): Promise<void> | undefined {
    const checkout = this.#checkout as Checkout;
    const known = { vatNumber: checkout.vatNumber, note: checkout.note, ...this.#sent };
    const fresh = Object.entries(this.#typed()).filter(
      ([name, value]) => !alike(value, known[name as keyof typeof known]),
    );
    if (fresh.length) this.#saving = this.#send(Object.fromEntries(fresh));
    return this.#saving;
  }

  async #send(change: CheckoutChange): Promise<void> {
    this.#sent = { ...this.#sent, ...change };
    // What is sent twice is as good as what is sent once.
    if (!(await this.#update(change))) this.#sent = {};
  }

  async #update(change: CheckoutChange): Promise<boolean> {
    // Another one once something else was sent.
    const sent = this.#sent;
    try {
      let checkout = await this.shop.checkout.update(change);
      const shippingOptionId = cheapest(checkout.shippingOptions);
      // One way to send it is chosen, so that the total is one that can be paid; what was sent meanwhile may leave others.
      if (sent === this.#sent && !checkout.shippingOptionId && shippingOptionId)
        checkout = await this.shop.checkout.update({ shippingOptionId });
      this.#problem = '';
      this.#take(checkout);
      this.announce(`${this.words.total}: ${this.price(checkout.total)}`);
      return true;
    } catch (error) {
      this.#refused(error);
      return false;
    }
  }

  #take(checkout: Checkout): void {
    this.#checkout = checkout;
    this.draw();
    this.emit('checkout-change', checkout);
  }

  /** Puts what the server refused beside the field it names, or above the button. */
  #refused(error: unknown): void {
    this.#problem = this.reason(error);
    for (const { pointer, detail } of error instanceof StorefrontError ? error.errors : []) {
      const found = this.#asked().find((one) => `${pointer}/`.startsWith(`${one.pointer}/`));
      if (!found) continue;
      found.show(detail);
      this.#problem = '';
    }
    this.draw();
    this.emit('failed', error);
  }

  #shippingOptions(checkout: Checkout): Node {
    const { words } = this;
    const { shippingOptions, shippingOptionId, messages } = checkout;
    if (!shippingOptions.length) {
      const notes = this.notes(messages.filter(({ code }) => unshipped.test(code)));
      return make('div', { part: 'fine' }, ...(notes.length ? notes : [words.needAddress]));
    }
    const lines = shippingOptions.map((option) => {
      const { id, name, due, minDays, maxDays } = option;
      const input = choice('shipping', id, shippingOptionId, () => void this.#update({ shippingOptionId: id }));
      const said = make('span', { part: 'choice-text' }, name);
      const least = minDays ?? maxDays;
      if (least !== null) {
        const span = days(least, maxDays ?? least, words.spoken);
        said.append(make('span', { part: 'fine' }, span));
      }
      return make(
        'label',
        { part: 'choice boxed' },
        input,
        said,
        make('span', {}, isNothing(due) ? words.free : this.price(due)),
      );
    });
    return make('div', { part: 'choices', role: 'radiogroup', 'aria-label': words.shipping }, ...lines);
  }

  #payments({ paymentHandlers }: Checkout): Node {
    const { words } = this;
    // A card is typed into fields of its provider, which the page has to bring.
    const values = paymentHandlers.flatMap(({ handler, methods }) =>
      handler === 'card' && !this.childElementCount ? [] : methods.map((method) => `${handler}-${method}`),
    );
    if (!values.length) return make('p', { part: 'message warning' }, words.noPayment);
    if (!values.includes(this.#method)) this.#method = values[0] as string;
    const lines = values.map((value) => {
      const input = choice('payment', value, this.#method, () => {
        this.#method = value;
      });
      return make('label', { part: 'choice boxed' }, input, make('span', { part: 'choice-text' }, this.#named(value)));
    });
    return make('div', { part: 'choices', role: 'radiogroup', 'aria-label': words.payment }, ...lines);
  }

  #side(checkout: Checkout): HTMLElement {
    const { words } = this;
    const { lines, messages, codes, status } = checkout;
    const changes = /open|ready/.test(status);
    const items = lines.map((line) => {
      const [frame, said] = lineHead(line, '');
      const count = make(
        'span',
        { part: 'count', 'aria-label': `${words.quantity}: ${line.quantity}`, role: 'img' },
        `${line.quantity}`,
      );
      frame.append(count);
      said.append(...this.notes(messages, line.id));
      if (changes && !line.available)
        said.append(
          button(
            'link remove',
            line.id,
            words.remove,
            () => void this.#anew(this.shop.cart.change([{ id: line.id, quantity: 0 }])),
            `${words.remove}: ${line.title}`,
          ),
        );
      return make('li', { part: 'line' }, frame, said, make('span', { part: 'line-total' }, this.price(line.total)));
    });
    const order = make(
      'div',
      { part: 'order' },
      make('ul', { part: 'lines', role: 'list' }, ...items),
      ...this.notes(messages.filter(({ code }) => code !== 'payment_declined' && !unshipped.test(code))),
    );
    if (changes) order.append(codesBox(words, codes, (next) => void this.#update({ codes: next })));
    order.append(totals(checkout, words, (money) => this.price(money)));
    const title = make('summary', { id: 'order' }, this.heading(words.summary));
    const side = make('details', { part: 'side' }, title, order);
    // Beside the form, where there is room for both; else it is opened by who wants to see it.
    side.open = this.#open ?? this.clientWidth >= 832;
    side.addEventListener('toggle', () => {
      this.#open = side.open;
    });
    return side;
  }

  /** Checks, and places the order, as the button does. */
  async complete(): Promise<void> {
    const { words } = this;
    if (this.#busy || !this.#checkout) return;
    this.#problem = '';
    for (const one of this.#asked()) one.show(one.fault());
    if (this.#pointAtFault()) return;
    const [handler, method] = this.#method.split('-') as [string, string];
    this.#busy = true;
    this.draw();
    this.announce(words.paying);
    try {
      const shown = agreed(this.#checkout);
      await this.#save();
      const { missing, messages, total, version } = this.#checkout;
      if (this.#problem || this.#pointAtFault()) return;
      const payment = isNothing(total) ? null : { handler, method };
      if (missing.length || shown !== agreed(this.#checkout)) this.#differs(this.notes(messages)[0]?.textContent);
      else if (payment && !handler) this.#problem = words.noPayment;
      else this.#settle(await this.shop.checkout.complete({ payment, total }, { version }));
    } catch (error) {
      // Whatever became of it, the server knows.
      const now = await this.shop.checkout.get().catch(() => undefined);
      this.#refused(error);
      if (/_changed/.test((error as StorefrontError).code)) this.#differs();
      if (now) this.#settle(now);
    } finally {
      this.#busy = false;
      this.announce('');
      this.draw();
      if (this.#problem) this.#form?.problem.focus();
    }
  }

  /** What is bought is another than was shown: the buyer sees it. */
  #differs(why?: string | null): void {
    this.#problem = why || this.words.changed;
    this.#open = true;
  }

  #pointAtFault(): boolean {
    const wrong = this.#asked().find(({ input }) => input.hasAttribute('aria-invalid'));
    wrong?.input.focus();
    return Boolean(wrong);
  }

  #settle(checkout: Checkout): void {
    const declined = checkout.messages.some(({ code }) => code === 'payment_declined');
    if (declined && checkout.status !== 'completed') this.#problem = this.words.payment_declined;
    this.#take(checkout);
    this.#watchPayment();
    if (checkout.status === 'completed') {
      this.#box()?.scrollIntoView({ block: 'start' });
      this.emit('ordered', checkout);
    }
  }

  #box(): HTMLElement | null {
    const heading = this.shadowRoot?.querySelector<HTMLElement>('[tabindex="-1"]') ?? null;
    heading?.focus();
    return heading;
  }

  /** The buyer's further step, or a payment whose outcome nobody knows yet. */
  #step({ payment }: Checkout): HTMLElement {
    const { words } = this;
    const action = payment?.action;
    const step = make('section', { part: 'section step' }, this.heading(action ? words.toConfirm : words.paying, 0));
    if (action) {
      const { url = '', outcomes = [undefined] } = action;
      const ways = outcomes.map((outcome, index) =>
        button(
          index ? 'button secondary' : 'button',
          `confirm-${index}`,
          (index && outcome) || words.confirm,
          () => void this.confirm(outcome),
        ),
      );
      const leave = make('a', { part: 'button', href: url }, words.confirm);
      step.append(
        make('slot', { name: action.kind }, ...(/^https?:/.test(url) ? [leave] : ways)),
        button('button secondary', 'cancel', words.cancel, () => void this.#anew(this.shop.checkout.cancel())),
      );
    }
    if (this.#problem) step.append(make('p', { part: 'message error', role: 'alert' }, this.#problem));
    return step;
  }

  /** The buyer has taken the step that the payment asks for, such as a card that the page has confirmed with its provider. */
  async confirm(outcome?: string): Promise<void> {
    try {
      this.#settle(await this.shop.checkout.confirm({ outcome }));
    } catch (error) {
      this.#refused(error);
    }
  }

  /** Checks the cart out anew, once a payment that nobody confirmed is given up, or a line is taken out. */
  async #anew(first: Promise<unknown>): Promise<void> {
    try {
      await first;
      this.#sent = {};
      this.#take(await this.shop.checkout.create());
      await this.#save();
    } catch (error) {
      this.#refused(error);
    }
  }

  #watchPayment(): void {
    clearTimeout(this.#timer);
    const { status, payment } = this.#checkout ?? {};
    if (status !== 'completing' || payment?.action) return;
    this.#timer = setTimeout(() => {
      void this.shop.checkout.get().then(
        (now) => now && this.#settle(now),
        () => this.#watchPayment(),
      );
    }, looking);
  }

  /** @param value handler and method of a payment */
  #named(value: string): string {
    const method = value.split('-')[1] as Key;
    return Object.hasOwn(this.words, method) ? this.words[method] : value.replace('-', ': ').replaceAll('_', ' ');
  }

  #thanks(checkout: Checkout): Node[] {
    const { words } = this;
    const { mode, order, email, payment } = checkout;
    const head = make('div', { part: 'thanks' }, this.heading(words.thanks, 0, 'heading title'));
    if (order) head.append(make('p', { part: 'number' }, this.text('number', { n: order.number })));
    if (email && mode === 'live') head.append(make('p', {}, this.text('writes', { email })));
    if (payment) {
      const { handler, method, instructions } = payment;
      head.append(make('p', { part: 'payment' }, `${words.payment}: ${this.#named(`${handler}-${method}`)}`));
      if (instructions) head.append(make('p', { part: 'instructions' }, instructions));
    }
    const links = make('div', { part: 'links' });
    if (order && /^https?:/.test(order.statusUrl))
      links.append(make('a', { part: 'button', href: order.statusUrl }, words.toOrder));
    links.append(...this.back('button secondary'));
    head.append(links);
    this.#open = true;
    return [make('div', { part: 'columns' }, head, this.#side(checkout))];
  }
}

/** What the buyer sees on pressing the button, and nothing else is bought. */
const agreed = ({ lines, total }: Checkout): string => JSON.stringify([lines, total]);

const alike = (one: unknown, other: unknown): boolean => JSON.stringify(one ?? null) === JSON.stringify(other ?? null);

const cheapest = (options: readonly ShippingOption[]): string | undefined =>
  options.toSorted((one, other) => Number(one.price.amount) - Number(other.price.amount))[0]?.id;
