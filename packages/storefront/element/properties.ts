import { mark } from './dom.ts';
import { servedBy } from './place.ts';

/** A server that renders knows the class, and draws nothing. */
const Base = (globalThis.HTMLElement ?? Object) as typeof HTMLElement;

/** The properties that are attributes; nothing, as frameworks set what is no longer said, takes one away. */
export class Properties extends Base {
  static readonly observedAttributes = ['form-id', 'sdk-key', 'base-url', 'locale', 'submit-label', 'live-region'];

  get formId(): string {
    return this.getAttribute('form-id') || '';
  }
  set formId(value: string | null | undefined) {
    mark(this, 'form-id', value);
  }
  get sdkKey(): string {
    return this.getAttribute('sdk-key') || '';
  }
  set sdkKey(value: string | null | undefined) {
    mark(this, 'sdk-key', value);
  }
  /** The storefront API; where the script was served by it, its address. */
  get baseUrl(): string {
    return this.getAttribute('base-url') || servedBy;
  }
  set baseUrl(value: string | null | undefined) {
    mark(this, 'base-url', value);
  }
  /** A language tag. Without it: `lang` of the nearest element outside, else the visitor's. */
  get locale(): string {
    return this.getAttribute('locale') || '';
  }
  set locale(value: string | null | undefined) {
    mark(this, 'locale', value);
  }

  /** A framework may have set properties before the class was there; they hide its accessors. */
  protected takeUp(): void {
    for (const [name, value] of Object.entries(this)) {
      const own = this as unknown as Record<string, unknown>;
      delete own[name];
      own[name] = value;
    }
  }
}
