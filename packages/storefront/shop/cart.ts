import type { Cart, Line } from '../client/shop-types.ts';
import { make, mark } from '../element/dom.ts';
import { button, ShopElement, stepper } from './base.ts';
import { codesBox } from './codes.ts';
import { lineHead, totals } from './lines.ts';

/** Milliseconds in which steps become one request. */
const settling = 300;

/** `<storefront-cart sdk-key checkout-url shop-url product-url>`: the visitor's cart. */
export class StorefrontCartElement extends ShopElement {
  static override readonly observedAttributes = [
    ...ShopElement.observedAttributes,
    'checkout-url',
    'shop-url',
    'product-url',
  ];

  #cart: Cart | undefined;
  #wanted = new Map<string, number>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #unwatch: (() => void) | undefined;
  #problem = '';

  get cart(): Cart | undefined {
    return this.#cart;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#unwatch?.();
  }

  protected override async load(signal: AbortSignal): Promise<void> {
    this.#unwatch?.();
    this.#cart = await this.shop.cart.get({ signal });
    if (signal.aborted) return;
    this.#unwatch = this.shop.cart.watch((cart) => {
      this.#cart = cart;
      this.draw();
      this.emit('cart', cart);
    });
  }

  protected override content(): Node[] {
    const cart = this.#cart;
    const { words } = this;
    const problem = this.#problem ? [make('p', { part: 'message error', role: 'alert' }, this.#problem)] : [];
    if (!cart?.lines.length) return [...problem, this.empty()];
    const lines = cart.lines.map((line) => this.#line(line, cart));
    const side = make(
      'div',
      { part: 'side order' },
      codesBox(words, cart.codes, (codes) => void this.#send(async () => this.shop.cart.codes(codes))),
      totals(cart, words, (money) => this.price(money)),
      make('p', { part: 'fine' }, words.later),
    );
    const href = this.address('checkout-url');
    if (href) {
      const link = make('a', { part: 'button', href, id: 'checkout' }, words.checkout);
      link.addEventListener('click', (event) => {
        if (!this.emit('checkout', cart, true)) event.preventDefault();
      });
      side.append(link);
    }
    side.append(...this.back('link back'));
    return [
      ...problem,
      ...this.notes(cart.messages),
      make(
        'div',
        { part: 'columns' },
        make('ul', { part: 'lines', role: 'list', tabindex: '-1', 'aria-label': words.cart }, ...lines),
        side,
      ),
    ];
  }

  #line(line: Line, { messages }: Cart): HTMLElement {
    const { words } = this;
    const { id, title, unitPrice, compareAtPrice, total } = line;
    const quantity = this.#wanted.get(id) ?? line.quantity;
    const [frame, said] = lineHead(line, this.address('product-url', line.handle));
    const unit = make('span', {}, make('span', { part: 'unit-price' }, this.price(unitPrice)));
    if (compareAtPrice) {
      const before = this.price(compareAtPrice);
      const label = this.text('before', { price: before });
      unit.append(' ', make('s', { part: 'compare-at', role: 'img', 'aria-label': label }, before));
    }
    said.append(unit, ...this.notes(messages, id));
    const change = make(
      'div',
      { part: 'line-change' },
      stepper(`quantity-${id}`, words, title, quantity, 1, (next) => this.#want(id, next)),
      button(
        'link remove',
        `remove-${id}`,
        words.remove,
        () => void this.#change([{ id, quantity: 0 }]),
        `${words.remove}: ${title}`,
      ),
    );
    const item = make(
      'li',
      { part: 'line' },
      frame,
      said,
      make('span', { part: 'line-total' }, this.price(total)),
      change,
    );
    mark(item, 'data-unavailable', !line.available && 'true');
    return item;
  }

  /** Several steps become one request. */
  #want(id: string, quantity: number): void {
    this.#wanted.set(id, quantity);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#change([]), settling);
  }

  async #change(more: readonly { readonly id: string; readonly quantity: number }[]): Promise<void> {
    clearTimeout(this.#timer);
    const wanted = new Map([...this.#wanted, ...more.map(({ id, quantity }) => [id, quantity] as const)]);
    this.#wanted.clear();
    const lines = [...wanted].map(([id, quantity]) => ({ id, quantity }));
    await this.#send(async () => this.shop.cart.change(lines));
  }

  async #send(work: () => Promise<Cart>): Promise<void> {
    this.#problem = '';
    try {
      const cart = await work();
      this.announce(cart.lines.length ? `${this.words.total}: ${this.price(cart.total)}` : this.words.empty);
    } catch (error) {
      this.#problem = this.reason(error);
      this.emit('failed', error);
      this.#cart = await this.shop.cart.get().catch(() => this.#cart);
      this.draw();
    }
  }
}
