import { createStorefront } from '../client/client.ts';
import { StorefrontError } from '../client/error.ts';
import type { FormSchema, Submission } from '../client/schema.ts';
import { catalogueOf, catalogues, digests, type Catalogue, type Words } from '../messages/catalogue.ts';
import { foreign, mark, say } from './dom.ts';
import { drawField, type DrawnField } from './field.ts';
import { Frame, type Stage } from './frame.ts';
import { languageOf } from './language.ts';
import { learn } from './learn.ts';
import { load, nowhere } from './place.ts';
import { Properties } from './properties.ts';
import { textOf, textOfFault } from './refusal.ts';
import { summarise } from './summary.ts';

/**
 * `<storefront-form form-id sdk-key base-url>`: a published form, drawn from its schema in one open shadow root, so that labels,
 * ids and autofill see one tree. Inside a `<form>` of the page it has no button of its own and is a control of that form: its
 * values are entries of the form's data, its faults the form's faults, and the page submits.
 */
export class StorefrontFormElement extends Properties {
  static readonly formAssociated = true;

  readonly #internals = this.attachInternals();
  readonly #frame = new Frame(this.attachShadow({ mode: 'open' }));
  #place = nowhere;
  /** The place at which somebody has begun to fill the form in. */
  #begun = nowhere;
  #due = false;
  /** Whether it is to be drawn anew. */
  #stale = false;
  #schema: FormSchema | undefined;
  #stage: Stage;
  /** Why there is no schema. */
  #failure: unknown;
  #fields: readonly DrawnField[] = [];
  #overrides: Partial<Catalogue> = {};
  #words: Words = { ...catalogues.en, english: true };
  /** What the page has set last. */
  #given: Record<string, unknown> = {};
  /** Values of fields that are not drawn yet. */
  #kept: Record<string, unknown> = {};

  constructor() {
    super();
    const { root, again } = this.#frame;
    root.addEventListener('submit', (event) => {
      event.preventDefault();
      // A field may be called requestSubmit, and then that is what the form's property is.
      if (this.form) HTMLFormElement.prototype.requestSubmit.call(this.form);
      else void this.submit();
    });
    for (const type of ['input', 'change'])
      root.addEventListener(type, ({ target }) => {
        this.#begin();
        const field = this.#fields.find(({ root: own }) => own.contains(target as Node));
        if (field?.said.textContent) field.show(field.check()?.text);
        this.#tell();
      });
    again.addEventListener('click', () => {
      void this.#start(true).then(() => (again.hidden ? this : again).focus());
    });
    this.addEventListener('invalid', () => this.#check());
  }

  connectedCallback(): void {
    this.takeUp();
    this.#soon();
  }

  attributeChangedCallback(): void {
    this.#stale = true;
    this.#soon();
  }

  formAssociatedCallback(): void {
    this.#frame.button.hidden = this.form !== null;
  }

  formDisabledCallback(disabled: boolean): void {
    this.#frame.inner.disabled = disabled;
  }

  formResetCallback(): void {
    this.reset();
  }

  formStateRestoreCallback(state: unknown): void {
    if (state instanceof FormData)
      this.#fill(Object.fromEntries([...state.keys()].map((name) => [name, state.getAll(name)])));
  }

  /** Texts of this form's own, over the catalogue's. */
  get messages(): Partial<Catalogue> {
    return this.#overrides;
  }
  set messages(value: Partial<Catalogue> | undefined) {
    this.#stale ||= !alike(this.#overrides, value ?? {});
    this.#overrides = { ...value };
    this.#soon();
  }
  /**
   * Field name to value; blank ones are left out. What is set fills fields in, now or once they are drawn; a value that was set
   * before does not do so again until {@link reset}, so that a framework that draws its page anew leaves what was typed.
   */
  get data(): Record<string, unknown> {
    const entries = this.#fields.map(({ name, read }) => [name, read()] as const);
    return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
  }
  set data(value: Readonly<Record<string, unknown>> | undefined) {
    const given = { ...value };
    const fresh = Object.entries(given).filter(([name, one]) => !alike(one, this.#given[name]));
    this.#given = given;
    this.#fill(Object.fromEntries(fresh));
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
    this.#check();
    return this.#summarise();
  }

  override focus(options?: FocusOptions): void {
    this.#fields.find(({ root }) => !root.hidden)?.anchor.focus(options);
  }

  /** Empties the fields, and shows the form again after a success. */
  reset(): void {
    this.#given = {};
    for (const { root, write, show } of this.#fields) {
      // The page's own, such as where the visitor came from.
      if (!root.hidden) write(undefined);
      show();
    }
    this.#summarise();
    say(this.#frame.problem, '');
    if (this.#stage === 'sent') this.#enter('ready');
    this.#tell();
  }

  /**
   * Validates and sends, as the button does. A second call while one is under way does nothing: the server keeps no key by which
   * it could know a repetition. Resolves with what was stored, or undefined when nothing was.
   */
  async submit(): Promise<Submission | undefined> {
    if (this.#stage !== 'ready') return undefined;
    // Before anything else is called, which may call this again.
    this.#stage = 'sending';
    const place = this.#place;
    const { formId } = place;
    try {
      say(this.#frame.problem, '');
      if (!this.reportValidity()) return undefined;
      const detail = { formId, data: this.data };
      if (!this.#emit('submit', detail)) return undefined;
      this.#enter('sending');
      const signal = AbortSignal.timeout(60_000);
      const submission = await createStorefront(place).submit(formId, detail.data, { signal });
      if (place === this.#place) {
        this.reset();
        this.#enter('sent');
        this.#frame.done.focus();
      }
      this.#emit('success', submission);
      return submission;
    } catch (error) {
      if (place === this.#place) await this.#explain(error);
      this.#emit('error', error);
      return undefined;
    } finally {
      if (place === this.#place && this.#stage === 'sending') this.#enter('ready');
    }
  }

  /** Tells it once, and to no avail where nobody hears: the form works all the same. */
  #begin(): void {
    const place = this.#place;
    if (this.#begun === place) return;
    this.#begun = place;
    createStorefront(place)
      .start(place.formId)
      .catch(() => undefined);
  }

  /** Several attributes set one after the other ask and draw once; an element that was moved keeps what it has. */
  #soon(): void {
    if (this.#due) return;
    this.#due = true;
    queueMicrotask(() => {
      this.#due = false;
      void this.#start();
    });
  }

  async #start(again = false): Promise<void> {
    const { baseUrl, sdkKey, formId } = this;
    const place = { baseUrl, sdkKey, formId };
    if (!this.isConnected) return;
    const learning = learn(catalogues, digests, languageOf(this), baseUrl, 'sdk');
    if (!again && alike(place, this.#place)) {
      if (learning) await learning;
      return void (this.#stale && this.#draw());
    }
    this.#place = place;
    this.#kept = { ...(again ? this.data : this.#given), ...this.#kept };
    this.#schema = undefined;
    this.#fields = [];
    say(this.#frame.problem, '');
    const named = formId && sdkKey;
    this.#stage = named && baseUrl ? 'loading' : undefined;
    this.#draw();
    if (named && !baseUrl) console.error('<storefront-form>', 'base-url?');
    if (!this.#stage) return;
    const outcome = await load(place).catch((error: unknown) => error);
    if (learning) await learning;
    if (place !== this.#place) return;
    // Whoever took it away meanwhile hears no more of it; brought back, it begins anew.
    if (!this.isConnected) return void (this.#place = nowhere);
    const failed = outcome instanceof Error;
    if (failed) this.#failure = outcome;
    else this.#schema = outcome as FormSchema;
    this.#stage = failed ? 'failed' : 'ready';
    this.#draw();
    this.#emit(failed ? 'error' : 'ready', outcome);
  }

  /** Writes everything anew in the language of the place, with what was typed, and leaves the focus where it is. */
  #draw(): void {
    const { list, root, button, again, thanks, live, problem } = this.#frame;
    this.#stale = false;
    const own = catalogueOf(languageOf(this));
    const words = (this.#words = { ...(own ?? catalogues.en), ...this.#overrides, english: !own });
    for (const one of [button, again, thanks, live, problem]) foreign(one, words);
    const typed = { ...this.#kept, ...this.data };
    const focused = this.shadowRoot?.activeElement?.id;
    const { fields = [], validationRules = [] } = this.#schema ?? {};
    const drawn = fields.map((field, index) =>
      drawField(
        field,
        index,
        validationRules.filter((rule) => rule.field === field.name),
        words,
      ),
    );
    // A control that is taken away with the focus says that it changed.
    this.#fields = [];
    list.replaceChildren(...drawn.map((field) => field.root));
    this.#fields = drawn;
    // An empty `lang` would say that the language is unknown.
    mark(root, 'lang', this.locale);
    button.textContent = this.getAttribute('submit-label') || words.submit;
    again.textContent = words.retry;
    thanks.textContent = words.success;
    live.ariaLive = this.getAttribute('live-region') || 'polite';
    if (this.#schema) this.#kept = {};
    this.#enter(this.#stage);
    this.#summarise();
    this.#fill(typed);
    if (focused) this.shadowRoot?.getElementById(focused)?.focus({ preventScroll: true });
  }

  #fill(values: Readonly<Record<string, unknown>>): void {
    if (!this.#schema) this.#kept = { ...this.#kept, ...values };
    for (const { name, write } of this.#fields) if (Object.hasOwn(values, name)) write(values[name]);
    this.#tell();
  }

  /** Shows beside each field what is wrong with it. */
  #check(): void {
    for (const { check, show } of this.#fields) show(check()?.text);
  }

  #summarise(others?: readonly string[]): boolean {
    return summarise(this.#frame.faults, this.#words, this.#fields, others);
  }

  /** Puts what the server refused beside the fields it named, or says what is the matter. */
  async #explain(error: unknown): Promise<void> {
    const errors = error instanceof StorefrontError && error.status === 400 ? error.errors : [];
    const find = (name: string | undefined): DrawnField | undefined =>
      this.#fields.find((field) => field.name === name);
    // The form was published anew after this page drew it.
    if (errors.some(({ field }) => field && !find(field))) await this.#start(true);
    const words = this.#words;
    const others: string[] = [];
    for (const one of errors) {
      const field = find(one.field);
      const text = textOfFault(one, field, words);
      if (field) field.show(text);
      else others.push(one.field ? one.field + words.colon + text : text);
    }
    if (errors.length > 0) this.#summarise(others);
    else say(this.#frame.problem, `${textOf(error, words, words.unsure)}\n${words.kept}`);
  }

  /** Tells the page's form what this holds and what is wrong. */
  #tell(): void {
    const entries = new FormData();
    for (const [name, value] of Object.entries(this.data))
      for (const one of [value].flat()) if (one !== false) entries.append(name, String(one));
    this.#internals.setFormValue(entries);
    const wrong = this.#fields.find(({ check }) => check());
    const fault = wrong?.check();
    this.#internals.setValidity(fault ? { [fault.flag]: true } : {}, fault?.text, wrong?.anchor);
  }

  #enter(stage: Stage): void {
    this.#stage = stage;
    this.#frame.enter(stage, this.#words, this.#failure);
    const { states } = this.#internals;
    try {
      states.clear();
      if (stage) states.add(stage);
    } catch {
      // Browsers that are still used have no states, or want dashes before their names.
    }
  }

  /** False where a listener prevented it. */
  #emit(name: 'ready' | 'submit' | 'success' | 'error', detail: unknown): boolean {
    const cancelable = name === 'submit';
    return this.dispatchEvent(
      new CustomEvent(`storefront-${name}`, { detail, bubbles: true, composed: true, cancelable }),
    );
  }
}

const alike = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);
