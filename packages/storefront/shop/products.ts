import type { ProductSummary } from '../client/shop-types.ts';
import { make } from '../element/dom.ts';
import { button, ShopElement } from './base.ts';
import { picture } from './picture.ts';

/** `<storefront-products sdk-key product-url="/products/{handle}">`: a grid of what the site sells, a page at a time. */
export class StorefrontProductsElement extends ShopElement {
  static override readonly observedAttributes = [
    ...ShopElement.observedAttributes,
    'product-url',
    'query',
    'tag',
    'type',
    'vendor',
    'collection',
    'limit',
    'search',
  ];

  #items: readonly ProductSummary[] = [];
  #next: string | undefined;
  #typed: string | undefined;
  #busy = false;

  protected override async load(signal: AbortSignal): Promise<void> {
    this.#items = [];
    this.#next = undefined;
    await this.#read(signal);
  }

  async #read(signal?: AbortSignal): Promise<void> {
    const { items, nextCursor } = await this.shop.products.list(
      {
        query: this.#typed ?? this.said('query'),
        tag: this.said('tag'),
        type: this.said('type'),
        vendor: this.said('vendor'),
        collection: this.said('collection'),
        limit: Number(this.said('limit')) || 24,
        cursor: this.#next,
      },
      { signal },
    );
    this.#items = [...this.#items, ...items];
    this.#next = nextCursor ?? undefined;
  }

  protected override waiting(): Node[] {
    const cards = Array.from({ length: 8 }, () =>
      make('li', { part: 'card' }, make('div', { part: 'image skeleton' }), make('div', { part: 'line skeleton' })),
    );
    return [...this.#search(), make('ul', { part: 'grid', 'aria-hidden': 'true' }, ...cards)];
  }

  protected override content(): Node[] {
    const { words } = this;
    if (this.#items.length === 0) {
      const searched = this.#typed ?? this.said('query');
      return [
        ...this.#search(),
        make('p', { part: 'empty', role: 'status' }, searched ? words.notFound : words.nothing),
      ];
    }
    const more = button('button secondary', 'more', words.more, () => void this.#more());
    return [
      ...this.#search(),
      // Browsers take a list without bullets for none.
      make('ul', { part: 'grid', role: 'list' }, ...this.#items.map((item) => this.#card(item))),
      ...(this.#next ? [make('div', { part: 'more' }, more)] : []),
    ];
  }

  #card(item: ProductSummary): HTMLElement {
    const { title, handle, vendor, image, priceRanges } = item;
    const wanted = this.said('currency');
    const range = priceRanges.find(({ currency }) => currency === wanted) ?? priceRanges[0];
    const link = make(
      'a',
      { part: 'link', id: `product-${handle}`, href: this.address('product-url', handle) || `?product=${handle}` },
      make('span', { part: 'frame' }, picture(image, title, '(min-width: 40rem) 18rem, 50vw')),
      make('span', { part: 'title' }, title),
    );
    if (vendor) link.append(make('span', { part: 'vendor' }, vendor));
    if (range) {
      const lowest = this.price({ amount: range.lowest, currency: range.currency });
      const text = range.lowest === range.highest ? lowest : this.text('from', { price: lowest });
      link.append(make('span', { part: 'price' }, text));
    }
    link.addEventListener('click', (event) => {
      if (!this.emit('select', { handle, product: item }, true)) event.preventDefault();
    });
    return make('li', { part: 'card' }, link);
  }

  #search(): Node[] {
    if (!this.hasAttribute('search')) return [];
    const { words } = this;
    const input = make('input', {
      part: 'control search',
      id: 'search',
      type: 'search',
      enterkeyhint: 'search',
      placeholder: words.search,
      'aria-label': words.search,
      value: this.#typed ?? this.said('query'),
    });
    input.addEventListener('change', () => {
      if (input.value.trim() === (this.#typed ?? this.said('query'))) return;
      this.#typed = input.value.trim();
      void this.refresh();
    });
    return [make('div', { part: 'tools', role: 'search' }, input)];
  }

  async #more(): Promise<void> {
    if (this.#busy) return;
    this.#busy = true;
    const first = this.#items.length;
    try {
      await this.#read();
      this.draw();
      this.shadowRoot?.getElementById(`product-${this.#items[first]?.handle}`)?.focus();
    } catch (error) {
      this.announce(this.reason(error));
    } finally {
      this.#busy = false;
    }
  }
}
