import type { Facet, FacetName, ProductSummary } from '../client/shop-types.ts';
import { make } from '../element/dom.ts';
import { button, ShopElement } from './base.ts';
import { type Chosen, type Filters, filters } from './filters.ts';
import { picture } from './picture.ts';

/** Pages that are asked for at once, at most, until one has something: a page of what is filtered may have nothing, and a next one. */
const mostPages = 5;
/** Pixels of the element from which on filters are open at first. */
const roomy = 640;

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
    'facets',
  ];

  #items: readonly ProductSummary[] = [];
  #next: string | undefined;
  #typed: string | undefined;
  #facets: readonly Facet[] = [];
  #chosen: Chosen = {};
  #busy = false;
  readonly #tools = make('div');
  readonly #results = make('div');
  readonly #root = make('div', {}, this.#tools, this.#results);
  /** What the tools are made for. */
  #made = '';
  #filters: Filters | undefined;

  override attributeChangedCallback(name?: string, before?: string | null, now?: string | null): void {
    // Frameworks set again what has not changed.
    if (before !== now && name !== 'locale') this.#chosen = {};
    super.attributeChangedCallback();
  }

  protected override async load(signal: AbortSignal): Promise<void> {
    this.#items = [];
    this.#next = undefined;
    await this.#read(signal);
  }

  async #read(signal?: AbortSignal): Promise<void> {
    const before = this.#items;
    for (let left = mostPages; left > 0 && this.#items === before; left -= 1) {
      const { items, nextCursor, facets } = await this.shop.products.list(
        {
          query: this.#typed ?? this.said('query'),
          tag: this.said('tag'),
          type: this.said('type'),
          vendor: this.said('vendor'),
          collection: this.said('collection'),
          ...this.#chosen,
          facets: this.#next ? undefined : this.#asked().map(([name]) => name as FacetName),
          limit: Number(this.said('limit')) || 24,
          cursor: this.#next,
        },
        { signal },
      );
      // Something else was asked for meanwhile.
      if (signal?.aborted || this.#items !== before) return;
      if (items.length) this.#items = [...before, ...items];
      this.#facets = facets ?? this.#facets;
      this.#next = nextCursor ?? undefined;
      if (!this.#next) return;
    }
  }

  protected override waiting(): Node[] {
    const cards = Array.from({ length: 8 }, () =>
      make('li', { part: 'card' }, make('div', { part: 'image skeleton' }), make('div', { part: 'line skeleton' })),
    );
    return this.#shown(make('ul', { part: 'grid', 'aria-hidden': 'true' }, ...cards));
  }

  protected override content(): Node[] {
    const { words } = this;
    const more = button('button secondary', 'more', words.more, () => void this.#more());
    const sought = this.#typed ?? (this.said('query') || Object.values(this.#chosen).flat().length);
    const shown = this.#shown(
      this.#items.length
        ? // Browsers take a list without bullets for none.
          make('ul', { part: 'grid', role: 'list' }, ...this.#items.map((item) => this.#card(item)))
        : make('p', { part: 'empty', role: 'status' }, this.#next ? '' : sought ? words.notFound : words.nothing),
      ...(this.#next ? [make('div', { part: 'more' }, more)] : []),
    );
    this.#filters?.tell(this.#facets, this.#chosen);
    return shown;
  }

  /** What is pressed and typed into stays where it is, while what is found changes. */
  #shown(...results: Node[]): Node[] {
    const { words } = this;
    const made = JSON.stringify([words.spoken, words.english, this.said('facets'), this.hasAttribute('search')]);
    if (made !== this.#made) {
      this.#made = made;
      const open = this.#filters?.root.open ?? this.clientWidth >= roomy;
      const titles = Object.fromEntries(this.#asked()) as Record<string, string | undefined>;
      this.#filters = filters(words, titles, (chosen) => {
        this.#chosen = chosen;
        void this.#anew();
      });
      this.#filters.root.open = open;
      this.#filters.tell([], {});
      this.#tools.replaceChildren(...this.#search(), this.#filters.root);
    }
    this.#results.replaceChildren(...results);
    return [this.#root];
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

  /** `facets="option:Colour,vendor=Brand"`: what is counted, and what it is called. */
  #asked(): string[][] {
    return this.said('facets')
      .split(',')
      .map((one) => one.trim().split(/=(.*)/s));
  }

  /** Shows what is asked for now, and says how much that is. */
  async #anew(): Promise<void> {
    await this.refresh();
    const { length } = this.#items;
    if (length) this.announce(this.text('found', { n: length + (this.#next ? '+' : '') }));
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
      void this.#anew();
    });
    return [make('div', { part: 'tools', role: 'search' }, input)];
  }

  async #more(): Promise<void> {
    if (this.#busy) return;
    this.#busy = true;
    const shown = this.#items;
    try {
      await this.#read();
      // Else all is drawn anew.
      if (this.#items === shown || this.#items[0] === shown[0]) this.draw();
      this.shadowRoot?.getElementById(`product-${this.#items[shown.length]?.handle}`)?.focus();
    } catch (error) {
      this.announce(this.reason(error));
    } finally {
      this.#busy = false;
    }
  }
}
