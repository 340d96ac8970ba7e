import { StorefrontError } from '../client/error.ts';
import type { Message, Money } from '../client/shop-types.ts';
import type { Shop } from '../client/shop.ts';
import { make, mark } from '../element/dom.ts';
import { languageOf } from '../element/language.ts';
import { learn } from '../element/learn.ts';
import { servedBy } from '../element/place.ts';
import { written } from './money.ts';
import { shopOf } from './shop-of.ts';
import css from './style.css';
import { digests, fill, shopCatalogues, wordsOf, type ShopCatalogue, type Words } from './words.ts';

/** A server that renders knows the class, and draws nothing. */
const Base = (globalThis.HTMLElement ?? Object) as typeof HTMLElement;

let sheet: CSSStyleSheet | undefined;

export type Key = keyof ShopCatalogue;

/** What the elements of a shop have in common: a shop by its key, words by the language of the place, and how far they are. */
export abstract class ShopElement extends Base {
  static readonly observedAttributes: readonly string[] = [
    'sdk-key',
    'base-url',
    'locale',
    'currency',
    'heading-level',
  ];

  protected words: Words = wordsOf('en');
  readonly #box = make('div', { part: 'content' });
  readonly #live = make('div', { part: 'status', role: 'status' });
  #due = false;
  #loaded = '';
  #stop = new AbortController();
  #failure: unknown;
  #stage: 'nowhere' | 'loading' | 'failed' | 'ready' = 'nowhere';

  constructor() {
    super();
    const shadow = this.attachShadow({ mode: 'open' });
    if (!sheet) {
      // Constructed, because a strict style-src admits neither <style> nor style="".
      sheet = new CSSStyleSheet();
      sheet.replaceSync(css);
    }
    shadow.adoptedStyleSheets = [sheet];
    shadow.append(this.#box, this.#live);
  }

  connectedCallback(): void {
    this.#soon();
  }

  disconnectedCallback(): void {
    this.#stop.abort();
    this.#loaded = '';
  }

  attributeChangedCallback(): void {
    this.#soon();
  }

  /** Reads anew what it shows. */
  async refresh(): Promise<void> {
    this.#loaded = '';
    await this.#start();
  }

  protected get shop(): Shop {
    return shopOf(this.said('base-url') || servedBy, this.said('sdk-key'));
  }

  protected said(attribute: string): string {
    return this.getAttribute(attribute) ?? '';
  }

  /** Asks for what is shown. */
  protected abstract load(signal: AbortSignal): Promise<void>;
  /** What is shown, once it is there. */
  protected abstract content(): readonly (Node | string)[];
  /** What stands there until then. */
  protected waiting(): readonly Node[] {
    return [1, 2, 3].map(() => make('div', { part: 'line skeleton' }));
  }

  /** Draws everything anew; the focus stays on what has the same id, and goes to the heading where that is gone. */
  protected draw(): void {
    const { activeElement } = this.shadowRoot ?? {};
    const { id = '' } = activeElement ?? {};
    const ready = this.#stage === 'ready';
    const shown = ready ? this.content() : this.#stage === 'failed' ? this.#failed() : this.waiting();
    // What is taken out and put back loses what is being typed.
    if (shown[0] !== this.#box.firstChild || shown.length !== 1) this.#box.replaceChildren(...shown);
    if (this.#stage === 'loading') this.announce(this.words.loading);
    mark(this.#box, 'aria-busy', this.#stage === 'loading' && 'true');
    mark(this.#box, 'lang', this.words.english ? 'en' : this.said('locale'));
    if (!activeElement || this.shadowRoot?.activeElement === activeElement) return;
    const next = (id && this.shadowRoot?.getElementById(id)) || this.#box.querySelector<HTMLElement>('[tabindex="-1"]');
    next?.focus({ preventScroll: true });
  }

  /** Told by screen readers; shown to nobody else. */
  protected announce(text: string): void {
    this.#live.textContent = text;
  }

  /** False where a listener prevented it. */
  protected emit(name: string, detail: unknown, cancelable = false): boolean {
    return this.dispatchEvent(
      new CustomEvent(`storefront-${name}`, { detail, bubbles: true, composed: true, cancelable }),
    );
  }

  protected price(money: Money): string {
    return written(money, this.words.spoken);
  }

  protected text(key: Key, values: Readonly<Record<string, string | number>>): string {
    return fill(this.words[key], values);
  }

  /** Of the element's own heading. */
  protected get level(): number {
    return Number(this.said('heading-level')) || 2;
  }

  /** A heading that can take the focus. @param below how many levels below the element's own */
  protected heading(text: string, below = 0, part = 'heading'): HTMLElement {
    return make(`h${Math.min(6, this.level + below)}` as 'h2', { part, tabindex: '-1' }, text);
  }

  /** What stands there where there is nothing to buy. */
  protected empty(): HTMLElement {
    const said = make('p', {}, this.words.empty);
    return make('div', { part: 'empty', tabindex: '-1' }, said, ...this.back('button'));
  }

  /** A link to the shop, where the page says its address. */
  protected back(part: string): HTMLElement[] {
    const href = this.address('shop-url');
    return href ? [make('a', { part, href }, this.words.toShop)] : [];
  }

  /** What a visitor is told of a call that did not succeed. */
  protected reason(error: unknown): string {
    const { words } = this;
    if (!(error instanceof StorefrontError) || !error.status) return words.network;
    const { status, code, message, retryAfter = 60 } = error;
    if (status === 429) return fill(words.wait, { n: retryAfter });
    if (code === 'product_not_found') return words.gone;
    if ([401, 403, 404].includes(status)) {
      // For whoever builds the page; visitors can do nothing about it.
      console.error(`<${this.localName}>`, code, message);
      return words.unavailable;
    }
    return status < 500 && error.message ? error.message : words.failed;
  }

  /** What the server says of a cart or a line, in the visitor's language where it can. */
  protected notes(messages: readonly Message[], lineId?: string): HTMLElement[] {
    return messages
      .filter((one) => (one.lineId ?? undefined) === lineId)
      .map(({ code, severity, text }) => {
        // Why a code does nothing is told in English alone.
        const key = this.words.spoken.startsWith('en') ? '' : code.replace(/^discount_.*/, 'discount');
        return make(
          'p',
          { part: `message ${severity}` },
          Object.hasOwn(this.words, key) ? this.words[key as Key] : text,
        );
      });
  }

  #soon(): void {
    if (this.#due) return;
    this.#due = true;
    queueMicrotask(() => {
      this.#due = false;
      void this.#start();
    });
  }

  async #start(): Promise<void> {
    if (!this.isConnected) return;
    const language = languageOf(this);
    const base = this.said('base-url') || servedBy;
    const learning = learn(shopCatalogues, digests, language, base, 'shop');
    if (!learning) this.words = wordsOf(language);
    const { observedAttributes } = this.constructor as typeof ShopElement;
    const asked = JSON.stringify(observedAttributes.map((name) => name !== 'locale' && this.said(name)));
    const known = asked === this.#loaded;
    const learnt = async (): Promise<void> => {
      await learning;
      // It may have changed meanwhile.
      this.words = wordsOf(languageOf(this));
    };
    if (known && learning) await learnt();
    if (known || !this.said('sdk-key')) return void (known && this.draw());
    if (!base) return console.error(`<${this.localName}>`, 'base-url?');
    this.#loaded = asked;
    this.#stop.abort();
    this.#stop = new AbortController();
    const { signal } = this.#stop;
    this.#stage = 'loading';
    // Nothing is said in one language and then in another.
    if (!learning) this.draw();
    try {
      const loading = this.load(signal);
      if (learning)
        void (async () => {
          await learnt();
          if (!signal.aborted && this.#stage === 'loading') this.draw();
        })();
      await loading;
      this.#stage = 'ready';
    } catch (error) {
      this.#failure = error;
      this.#stage = 'failed';
    }
    if (learning) await learnt();
    // Asked for something else meanwhile, or taken away.
    if (signal.aborted) return;
    this.announce('');
    this.draw();
    if (this.#stage === 'failed') this.emit('failed', this.#failure);
    else this.emit('shown', undefined);
  }

  #failed(): Node[] {
    const again = button('button secondary', 'again', this.words.retry, () => void this.refresh());
    return [make('div', { part: 'empty', role: 'alert' }, make('p', {}, this.reason(this.#failure)), again)];
  }

  /** The page in `attribute`, with `{handle}` filled in. */
  protected address(attribute: string, handle = ''): string {
    return this.said(attribute).replace('{handle}', encodeURIComponent(handle));
  }
}

/** A button that does not send a form. */
export function button(part: string, id: string, text: string, press: () => void, label?: string): HTMLButtonElement {
  const made = make('button', { part, id, type: 'button', 'aria-label': label }, text);
  made.addEventListener('click', press);
  return made;
}

/** How many: a number between two buttons. @param least what the first button stops at */
export function stepper(
  id: string,
  words: Words,
  of: string,
  value: number,
  least: number,
  set: (next: number) => void,
): HTMLElement {
  const input = make('input', {
    part: 'quantity',
    id,
    type: 'number',
    inputmode: 'numeric',
    min: String(least),
    max: '1000000',
    value: String(value),
    'aria-label': `${words.quantity}: ${of}`,
  });
  const change = (next: number): void => {
    const within = Math.min(1_000_000, Math.max(least, Math.round(next) || least));
    input.value = String(within);
    set(within);
  };
  input.addEventListener('change', () => change(Number(input.value)));
  return make(
    'div',
    { part: 'stepper' },
    button('step', `${id}-fewer`, '−', () => change(Number(input.value) - 1), `${words.fewer}: ${of}`),
    input,
    button('step', `${id}-more`, '+', () => change(Number(input.value) + 1), `${words.oneMore}: ${of}`),
  );
}
