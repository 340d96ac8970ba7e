import { createStorefront } from '../client/client.ts';
import { StorefrontError } from '../client/error.ts';
import type { FormSchema, Submission } from '../client/schema.ts';
import { catalogueOf, type Catalogue } from '../messages/catalogue.ts';
import { make, mark, say } from './dom.ts';
import { drawField, type DrawnField } from './field.ts';
import { languageOf } from './language.ts';
import css from './style.css';

/** A server that renders knows the class, and draws nothing. */
const Base = (globalThis.HTMLElement ?? Object) as typeof HTMLElement;

/** Served as `{storefront}/sdk.js`, the script knows where the storefront is. */
const servedBy = /^(https?:.+)\/sdk(?:\.[\w-]+)?\.js$/.exec(import.meta.url)?.[1] ?? '';

const reflected = { formId: 'form-id', sdkKey: 'sdk-key', baseUrl: 'base-url', locale: 'locale' };

interface Place {
  readonly baseUrl: string;
  readonly sdkKey: string;
  readonly formId: string;
}

const loading = new Map<string, Promise<FormSchema>>();

/** One request, however many elements ask for the same form at once. */
async function load(place: Place): Promise<FormSchema> {
  const key = JSON.stringify(place);
  const found =
    loading.get(key) ??
    createStorefront(place)
      .schema(place.formId, { signal: AbortSignal.timeout(30_000) })
      .finally(() => loading.delete(key));
  loading.set(key, found);
  return found;
}

let sheet: CSSStyleSheet | undefined;

/**
 * `<storefront-form form-id sdk-key base-url>`: a published form, drawn from its schema in one open shadow root, so that labels,
 * ids and autofill see one tree. Inside a `<form>` of the page it has no button of its own and is a control of that form: its
 * values are entries of the form's data, its faults the form's faults, and the page submits.
 */
export class StorefrontFormElement extends Base {
  static readonly formAssociated = true;
  static readonly observedAttributes: readonly string[] = [...Object.values(reflected), 'submit-label', 'live-region'];

  declare formId: string;
  declare sdkKey: string;
  /** The storefront API; where the script was served by it, its address. */
  declare baseUrl: string;
  /** A language tag. Without it: `lang` of the nearest element outside, else the visitor's. */
  declare locale: string;

  static {
    for (const [property, attribute] of Object.entries(reflected))
      Object.defineProperty(this.prototype, property, {
        get(this: HTMLElement) {
          return this.getAttribute(attribute) || (property === 'baseUrl' ? servedBy : '');
        },
        set(this: HTMLElement, value: string) {
          this.setAttribute(attribute, value);
        },
      });
  }

  readonly #internals = this.attachInternals();
  readonly #list = make('div');
  readonly #summary = make('div', { part: 'summary', role: 'alert', tabindex: '-1' });
  readonly #problem = make('div', { part: 'problem', role: 'alert' });
  readonly #button = make('button', { part: 'button' });
  /** Fields' names become properties of their form; whatever we touch is therefore this element inside it. */
  readonly #body = make('div', { hidden: '' }, this.#summary, this.#list, this.#problem, this.#button);
  readonly #status = make('div', { part: 'status', role: 'status' });
  readonly #retry = make('button', { part: 'button', type: 'button' });
  readonly #thanks = make('slot', { name: 'success' });
  readonly #success = make('div', { part: 'success', tabindex: '-1', hidden: '' }, this.#thanks);
  readonly #fallback = make('slot');
  readonly #root = make(
    'div',
    {},
    make('form', { part: 'form', novalidate: '' }, this.#body),
    this.#status,
    this.#retry,
    this.#success,
    this.#fallback,
  );
  #place: Place = { baseUrl: '', sdkKey: '', formId: '' };
  #schema: FormSchema | undefined;
  #fields: readonly DrawnField[] = [];
  #overrides: Partial<Catalogue> = {};
  #words: Catalogue = catalogueOf('');
  /** Values of fields that are not drawn yet. */
  #given: Record<string, unknown> = {};
  #sending = false;
  #due = false;

  constructor() {
    super();
    const shadow = this.attachShadow({ mode: 'open' });
    if (!sheet) {
      // Constructed, because a strict style-src admits neither <style> nor style="".
      sheet = new CSSStyleSheet();
      sheet.replaceSync(css);
    }
    shadow.adoptedStyleSheets = [sheet];
    shadow.append(this.#root);
    this.#root.addEventListener('submit', (event) => {
      event.preventDefault();
      // A field may be called requestSubmit, and then that is what the form's property is.
      if (this.form) HTMLFormElement.prototype.requestSubmit.call(this.form);
      else void this.submit();
    });
    for (const type of ['input', 'change'])
      this.#root.addEventListener(type, ({ target }) => {
        const field = this.#fields.find(({ root: own }) => own.contains(target as Node));
        if (field?.said.textContent) field.show(field.check()?.text);
        this.#tell();
      });
    this.#retry.addEventListener('click', () => {
      void this.#start(true).then(() => (this.#retry.hidden ? this : this.#retry).focus());
    });
    this.addEventListener('invalid', () => this.#check());
  }

  connectedCallback(): void {
    // A framework may have set properties before the class was there; they hide its accessors.
    for (const name of [...Object.keys(reflected), 'messages', 'data'] as (keyof this)[]) {
      if (!Object.hasOwn(this, name)) continue;
      const value = this[name];
      Reflect.deleteProperty(this, name);
      Object.assign(this, { [name]: value });
    }
    this.#soon();
  }

  attributeChangedCallback(name: string): void {
    if (/-(id|key|url)$/.test(name)) this.#soon();
    else this.#draw();
  }

  formAssociatedCallback(): void {
    this.#button.hidden = this.form !== null;
  }

  formDisabledCallback(disabled: boolean): void {
    for (const control of this.#root.querySelectorAll('input, select, textarea, button'))
      (control as HTMLInputElement).disabled = disabled;
  }

  formResetCallback(): void {
    this.reset();
  }

  formStateRestoreCallback(state: unknown): void {
    if (state instanceof FormData)
      this.data = Object.fromEntries([...state.keys()].map((name) => [name, state.getAll(name)]));
  }

  /** Texts of this form's own, over the catalogue's. */
  get messages(): Partial<Catalogue> {
    return this.#overrides;
  }
  set messages(value: Partial<Catalogue>) {
    this.#overrides = { ...value };
    this.#draw();
  }
  /** Field name to value; blank ones are left out. What is set fills fields in, now or once they are drawn. */
  get data(): Record<string, unknown> {
    const entries = this.#fields.map(({ name, read }) => [name, read()] as const);
    return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
  }
  set data(value: Readonly<Record<string, unknown>>) {
    if (!this.#schema) this.#given = { ...this.#given, ...value };
    for (const { name, write } of this.#fields) if (Object.hasOwn(value, name)) write(value[name]);
    this.#tell();
  }

  /** The page's form around it, if any. */
  get form(): HTMLFormElement | null {
    return this.#internals.form;
  }
  get validity(): ValidityState {
    return this.#internals.validity;
  }
  get validationMessage(): string {
    return this.#internals.validationMessage;
  }
  checkValidity(): boolean {
    return this.#internals.checkValidity();
  }
  /** Shows what is wrong and moves the focus there; the page's form points at its first fault. */
  reportValidity(): boolean {
    if (this.form) return this.#internals.reportValidity();
    const wrong = this.#check();
    this.#summarise(wrong);
    return wrong.length === 0;
  }

  override focus(options?: FocusOptions): void {
    this.#fields.find(({ root }) => !root.hidden)?.anchor.focus(options);
  }

  /** Empties the fields, and shows the form again after a success. */
  reset(): void {
    for (const { root, write, show } of this.#fields) {
      // The page's own, such as where the visitor came from.
      if (!root.hidden) write(undefined);
      show();
    }
    this.#summarise([]);
    say(this.#problem, '');
    this.#success.hidden = true;
    this.#body.hidden = !this.#schema;
    this.#tell();
  }

  /**
   * Validates and sends, as the button does. A second call while one is under way does nothing: the server keeps no key by which
   * it could know a repetition. Resolves with what was stored, or undefined when nothing was.
   */
  async submit(): Promise<Submission | undefined> {
    if (this.#sending) return undefined;
    this.#sending = true;
    const place = this.#place;
    const { formId } = place;
    try {
      if (this.#body.hidden) return undefined;
      say(this.#problem, '');
      if (!this.reportValidity()) return undefined;
      const detail = { formId, data: this.data };
      if (!this.#emit('submit', detail)) return undefined;
      this.#button.ariaDisabled = 'true';
      this.#status.textContent = this.#words.sending;
      this.#state('sending');
      const signal = AbortSignal.timeout(60_000);
      const submission = await createStorefront(place).submit(formId, detail.data, { signal });
      if (place === this.#place) {
        this.reset();
        this.#body.hidden = true;
        this.#success.hidden = false;
        this.#success.focus();
        this.#state('sent');
      }
      this.#emit('success', submission);
      return submission;
    } catch (error) {
      if (place === this.#place) await this.#explain(error);
      this.#emit('error', error);
      return undefined;
    } finally {
      this.#sending = false;
      this.#button.ariaDisabled = null;
      this.#status.textContent = '';
    }
  }

  /** Several attributes set one after the other ask once. */
  #soon(): void {
    if (this.#due) return;
    this.#due = true;
    queueMicrotask(() => {
      this.#due = false;
      if (this.isConnected) void this.#start();
    });
  }

  async #start(again = false): Promise<void> {
    const { baseUrl, sdkKey, formId } = this;
    const place = { baseUrl, sdkKey, formId };
    // An element that was moved keeps what it has.
    if (!again && JSON.stringify(place) === JSON.stringify(this.#place)) return;
    this.#place = place;
    if (again) this.#given = this.data;
    this.#schema = undefined;
    this.#fields = [];
    this.reset();
    this.#draw();
    this.#status.textContent = '';
    if (!formId || !sdkKey) return;
    if (!baseUrl) return console.error('<storefront-form>', 'base-url?');
    this.#state('loading');
    this.#status.textContent = this.#words.loading;
    let outcome: unknown;
    try {
      outcome = await load(place);
    } catch (error) {
      outcome = error;
    }
    if (place !== this.#place) return;
    const failed = outcome instanceof Error;
    this.#state(failed ? 'failed' : 'ready');
    if (!failed) this.#schema = outcome as FormSchema;
    this.#draw();
    this.#status.textContent = failed ? this.#textOf(outcome) : '';
    this.#retry.hidden = this.#fallback.hidden = !failed;
    this.#emit(failed ? 'error' : 'ready', outcome);
  }

  /** Writes everything anew in the language of the place, with what was typed. */
  #draw(): void {
    const words = (this.#words = { ...catalogueOf(languageOf(this)), ...this.#overrides });
    const typed = { ...this.#given, ...this.data };
    const { fields = [], validationRules = [] } = this.#schema ?? {};
    this.#fields = fields.map((field, index) =>
      drawField(
        field,
        index,
        validationRules.filter((rule) => rule.field === field.name),
        words,
      ),
    );
    this.#list.replaceChildren(...this.#fields.map((field) => field.root));
    // An empty `lang` would say that the language is unknown.
    mark(this.#root, 'lang', this.locale);
    this.#button.textContent = this.getAttribute('submit-label') || words.submit;
    this.#retry.textContent = words.retry;
    this.#thanks.textContent = words.success;
    this.#status.ariaLive = this.getAttribute('live-region') || 'polite';
    this.#body.hidden = !this.#schema || !this.#success.hidden;
    this.#retry.hidden = this.#fallback.hidden = true;
    if (this.#schema) this.#given = {};
    this.#summarise([]);
    this.formAssociatedCallback();
    this.formDisabledCallback(this.matches(':disabled'));
    this.data = typed;
  }

  /** Shows beside each field what is wrong with it. */
  #check(): DrawnField[] {
    return this.#fields.filter(({ check, show }) => {
      const fault = check();
      show(fault?.text);
      return fault;
    });
  }

  #summarise(wrong: readonly DrawnField[], others: readonly string[] = []): void {
    const lines = wrong.map(({ label, said, anchor }) => {
      const link = make('a', { href: `#${anchor.id}` }, `${label}: ${said.textContent}`);
      link.addEventListener('click', (event) => {
        // An address's fragment does not reach into a shadow root.
        event.preventDefault();
        anchor.focus();
      });
      return make('li', {}, link);
    });
    lines.push(...others.map((text) => make('li', {}, text)));
    this.#summary.replaceChildren(make('strong', {}, this.#words.summary), make('ul', {}, ...lines));
    this.#summary.hidden = lines.length === 0;
    if (!this.#summary.hidden) this.#summary.focus();
  }

  /** Puts what the server refused beside the fields it named, or says what is the matter. */
  async #explain(error: unknown): Promise<void> {
    this.#state('ready');
    const errors = error instanceof StorefrontError && error.status === 400 ? error.errors : [];
    const find = (name: string | undefined): DrawnField | undefined =>
      this.#fields.find((field) => field.name === name);
    // The form was published anew after this page drew it.
    if (errors.some(({ field }) => field && !find(field))) await this.#start(true);
    const wrong = new Set<DrawnField>();
    const others: string[] = [];
    for (const { field: name, code: reason, detail } of errors) {
      const field = find(name);
      const known = /^(required|blank|empty)$/.test(reason) ? this.#words.required : undefined;
      const text =
        known ?? (reason === 'invalid_value' ? field?.expected : undefined) ?? (detail || this.#words.failed);
      field?.show(text);
      if (field) wrong.add(field);
      else others.push(name ? `${name}: ${text}` : text);
    }
    if (errors.length > 0) this.#summarise([...wrong], others);
    else say(this.#problem, `${this.#textOf(error, this.#words.unsure)} ${this.#words.kept}`);
  }

  #textOf(error: unknown, silence = this.#words.network): string {
    const words = this.#words;
    if (!(error instanceof StorefrontError)) return silence;
    const { status, code, message, retryAfter = 60 } = error;
    if (status === 0) return words.network;
    // Without Retry-After, or where a page of another origin may not read it: the limits are counted by the minute.
    if (status === 429) return words.wait.replace('{n}', String(retryAfter));
    if (status === 401 || status === 403 || status === 404) {
      // For whoever builds the page; visitors can do nothing about it.
      console.error('<storefront-form>', code, message);
      return words.unavailable;
    }
    return words.failed;
  }

  /** Tells the page's form what this holds and what is wrong. */
  #tell(): void {
    const entries = new FormData();
    for (const [name, value] of Object.entries(this.data))
      for (const one of Array.isArray(value) ? value : [value]) if (one !== false) entries.append(name, String(one));
    this.#internals.setFormValue(entries);
    const wrong = this.#fields.find(({ check }) => check());
    const fault = wrong?.check();
    this.#internals.setValidity(fault ? { [fault.flag]: true } : {}, fault?.text, wrong?.anchor);
  }

  #state(name: string): void {
    const { states } = this.#internals as Partial<ElementInternals>;
    // Not in every browser that is still used.
    states?.clear();
    states?.add(name);
  }

  /** False where a listener prevented it. */
  #emit(name: 'ready' | 'submit' | 'success' | 'error', detail: unknown): boolean {
    const cancelable = name === 'submit';
    return this.dispatchEvent(
      new CustomEvent(`storefront-${name}`, { detail, bubbles: true, composed: true, cancelable }),
    );
  }
}
