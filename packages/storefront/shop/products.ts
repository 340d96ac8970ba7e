import type { Facet, FacetName, ProductSummary } from '../client/shop-types.ts';
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
    'facets',
  ];

  #items: readonly ProductSummary[] = [];
  #next: string | undefined;
  #typed: string | undefined;
  #facets: readonly Facet[] = [];
  /** By member of the query; what is not there is as the page says. */
  #chosen: Record<string, string[]> = {};
  #busy = false;

  override attributeChangedCallback(): void {
    this.#chosen = {};
    super.attributeChangedCallback();
  }

  protected override async load(signal: AbortSignal): Promise<void> {
    this.#items = [];
    this.#next = undefined;
    await this.#read(signal);
  }

  async #read(signal?: AbortSignal): Promise<void> {
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
    this.#items = [...this.#items, ...items];
    this.#facets = facets ?? this.#facets;
    this.#next = nextCursor ?? undefined;
  }

  protected override waiting(): Node[] {
    const cards = Array.from({ length: 8 }, () =>
      make('li', { part: 'card' }, make('div', { part: 'image skeleton' }), make('div', { part: 'line skeleton' })),
    );
    return [...this.#tools(), make('ul', { part: 'grid', 'aria-hidden': 'true' }, ...cards)];
  }

  protected override content(): Node[] {
    const { words } = this;
    if (this.#items.length === 0) {
      const searched = this.#typed ?? this.said('query');
      return [
        ...this.#tools(),
        make('p', { part: 'empty', role: 'status' }, searched ? words.notFound : words.nothing),
      ];
    }
    const more = button('button secondary', 'more', words.more, () => void this.#more());
    return [
      ...this.#tools(),
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

  /** `facets="option:Colour,vendor=Brand"`: what is counted, and what it is called. */
  #asked(): string[][] {
    return this.said('facets')
      .split(',')
      .map((one) => one.trim().split(/=(.*)/s));
  }

  #tools(): Node[] {
    const titles = Object.fromEntries(this.#asked()) as Record<string, string | undefined>;
    return [
      ...this.#search(),
      ...this.#facets.map(({ name, values, exact }) => {
        const [member = '', own] = name.split(/:(.*)/s);
        const chips = values.map(({ value, label, count, chosen }) => {
          const id = encodeURIComponent(name + value);
          const input = make('input', { type: 'checkbox', id, name: member, value, part: 'radio' });
          input.checked = chosen;
          input.addEventListener('change', () => this.#choose());
          return make(
            'label',
            { part: 'chip' },
            input,
            make('span', {}, `${label} `, make('span', { part: 'count' }, count + (exact ? '' : '+'))),
          );
        });
        return make(
          'fieldset',
          { part: 'option facet', hidden: values.length > 0 ? undefined : '' },
          make('legend', { part: 'label' }, titles[name] ?? own ?? name),
          make('div', { part: 'chips' }, ...chips),
        );
      }),
    ];
  }

  #choose(): void {
    this.#chosen = {};
    for (const { name, value, checked } of this.shadowRoot?.querySelectorAll<HTMLInputElement>('[type=checkbox]') ??
      []) {
      const values = (this.#chosen[name] ??= []);
      if (checked) values.push(value);
    }
    void this.refresh();
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
