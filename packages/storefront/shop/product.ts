import type { Price, Product, Variant } from '../client/shop-types.ts';
import { make, mark } from '../element/dom.ts';
import { button, ShopElement, stepper } from './base.ts';
import { markdown } from './markdown.ts';
import { picture } from './picture.ts';

/** `<storefront-product sdk-key handle cart-url>`: one product, with its options, and a button that adds it to the cart. */
export class StorefrontProductElement extends ShopElement {
  static override readonly observedAttributes = [...ShopElement.observedAttributes, 'handle', 'cart-url'];

  #product: Product | undefined;
  #chosen: Readonly<Record<string, string>> = {};
  #quantity = 1;
  #shown = 0;
  #adding = false;
  #said: 'added' | undefined;
  #problem = '';

  /** The product that is shown. */
  get product(): Product | undefined {
    return this.#product;
  }
  /** The variant that would be added. */
  get variant(): Variant | undefined {
    return this.#product?.variants.find(({ options }) =>
      Object.entries(options).every(([name, value]) => this.#chosen[name] === value),
    );
  }

  protected override async load(signal: AbortSignal): Promise<void> {
    const product = await this.shop.products.get(this.said('handle'), { signal });
    this.#product = product;
    this.#quantity = 1;
    this.#shown = 0;
    this.#said = undefined;
    this.#problem = '';
    this.#chosen = (product.variants.find(({ available }) => available) ?? product.variants[0])?.options ?? {};
  }

  protected override waiting(): Node[] {
    const lines = super.waiting();
    return [
      make(
        'div',
        { part: 'product', 'aria-hidden': 'true' },
        make('div', { part: 'frame skeleton' }),
        make('div', {}, ...lines),
      ),
    ];
  }

  protected override content(): Node[] {
    const product = this.#product;
    if (!product) return [];
    const { title, vendor, description, options } = product;
    const details = make('div', { part: 'details' });
    if (vendor) details.append(make('p', { part: 'vendor' }, vendor));
    details.append(this.heading(title, 0, 'heading title'), this.#prices());
    for (const [index, { name, values }] of options.entries()) details.append(this.#option(index, name, values));
    details.append(this.#buy(title));
    if (description) details.append(make('div', { part: 'description' }, ...markdown(description, this.level)));
    return [make('div', { part: 'product' }, this.#gallery(product), details)];
  }

  #gallery({ media = [], title }: Product): HTMLElement {
    const shown = media[this.#shown];
    const gallery = make(
      'div',
      { part: 'gallery' },
      make('div', { part: 'frame' }, picture(shown, title, '(min-width: 40rem) 50vw, 100vw', false)),
    );
    if (media.length > 1) {
      const thumbs = media.map((image, index) => {
        const thumb = button(
          'thumb',
          `thumb-${index}`,
          '',
          () => {
            this.#shown = index;
            this.draw();
          },
          image.alt || `${title} ${index + 1}`,
        );
        mark(thumb, 'aria-pressed', String(index === this.#shown));
        thumb.append(picture(image, title));
        return thumb;
      });
      gallery.append(make('div', { part: 'thumbs' }, ...thumbs));
    }
    return gallery;
  }

  /** Of the chosen variant for the chosen quantity; the cart's, or the page's, or the first currency. */
  #price(variant: Variant | undefined): { one: Price | undefined; tiers: readonly Price[] } {
    const { prices = [] } = variant ?? {};
    const currency = this.said('currency');
    const wanted = prices.some((price) => price.currency === currency) ? currency : prices[0]?.currency;
    const tiers = prices
      .filter((price) => price.currency === wanted)
      .toSorted((one, other) => one.minQuantity - other.minQuantity);
    return { one: tiers.findLast(({ minQuantity }) => minQuantity <= this.#quantity) ?? tiers[0], tiers };
  }

  #prices(): HTMLElement {
    const { variant } = this;
    const { one, tiers } = this.#price(variant);
    const shown = make('div', { part: 'prices' });
    if (!one) return shown;
    shown.append(make('span', { part: 'price' }, this.price(one)));
    if (one.compareAt) {
      const before = this.price({ amount: one.compareAt, currency: one.currency });
      shown.append(
        make('s', { part: 'compare-at', 'aria-label': this.text('before', { price: before }), role: 'img' }, before),
      );
    }
    if (!variant?.available) shown.append(make('span', { part: 'badge' }, this.words.soldOut));
    if (tiers.length > 1)
      shown.append(
        make(
          'ul',
          { part: 'tiers' },
          ...tiers
            .slice(1)
            .map((tier) => make('li', {}, this.text('tier', { n: tier.minQuantity, price: this.price(tier) }))),
        ),
      );
    return shown;
  }

  #option(index: number, name: string, values: readonly string[]): HTMLElement {
    const { variants = [] } = this.#product ?? {};
    const chips = values.map((value, at) => {
      const id = `option-${index}-${at}`;
      const input = make('input', { type: 'radio', id, name: `option-${index}`, value, part: 'radio' });
      input.checked = this.#chosen[name] === value;
      input.addEventListener('change', () => this.#choose(name, value));
      const wanted = Object.entries({ ...this.#chosen, [name]: value });
      const there = variants.some(
        ({ options, available }) => available && wanted.every(([other, own]) => options[other] === own),
      );
      return make('label', { part: there ? 'chip' : 'chip unavailable', for: id }, input, make('span', {}, value));
    });
    return make(
      'fieldset',
      { part: 'option' },
      make('legend', { part: 'label' }, name),
      make('div', { part: 'chips' }, ...chips),
    );
  }

  /** Where nobody makes this combination, the first that has the new value. */
  #choose(name: string, value: string): void {
    const before = this.#chosen;
    this.#chosen = { ...before, [name]: value };
    const { variants = [] } = this.#product ?? {};
    if (!this.variant) {
      const having = variants.filter(({ options }) => options[name] === value);
      this.#chosen = (having.find(({ available }) => available) ?? having[0])?.options ?? before;
    }
    const { variant } = this;
    const shows = this.#product?.media?.findIndex(({ variantIds }) => variantIds?.includes(variant?.id ?? '')) ?? -1;
    if (shows >= 0) this.#shown = shows;
    this.#said = undefined;
    this.#problem = '';
    this.draw();
    const { one } = this.#price(this.variant);
    this.announce(
      [one && this.price(one), this.variant?.available ? '' : this.words.soldOut].filter(Boolean).join(', '),
    );
    this.emit('variant', { product: this.#product, variant: this.variant });
  }

  #buy(title: string): HTMLElement {
    const { words } = this;
    const can = this.variant?.available && this.#price(this.variant).one;
    const add = button('button', 'add', can ? words.add : words.soldOut, () => void this.add());
    mark(add, 'aria-disabled', (!can || this.#adding) && 'true');
    const set = (next: number): void => {
      this.#quantity = next;
      if (this.#price(this.variant).tiers.length > 1) this.draw();
    };
    const buy = make('div', { part: 'buy' });
    if (can) buy.append(stepper('quantity', words, title, this.#quantity, 1, set));
    buy.append(add);
    const result = make('div', { part: 'result' });
    if (this.#said) {
      result.append(make('span', {}, words[this.#said]), ' ');
      const href = this.address('cart-url');
      if (href) result.append(make('a', { href, part: 'link' }, words.toCart));
    }
    if (this.#problem) result.append(make('p', { part: 'message error', role: 'alert' }, this.#problem));
    return make('div', { part: 'buying' }, buy, result);
  }

  /** Adds the chosen variant to the cart, as the button does. */
  async add(): Promise<void> {
    const { variant } = this;
    const { one } = this.#price(variant);
    if (this.#adding || !variant?.available || !one) return;
    this.#adding = true;
    this.#said = undefined;
    this.#problem = '';
    this.draw();
    const line = { variantId: variant.id, quantity: this.#quantity };
    try {
      const cart = await this.shop.cart.add([line], { currency: one.currency, locale: this.words.spoken });
      this.#said = 'added';
      this.announce(this.words.added);
      this.emit('added', { cart, ...line });
    } catch (error) {
      this.#problem = this.reason(error);
      this.emit('failed', error);
    }
    this.#adding = false;
    this.draw();
  }
}
