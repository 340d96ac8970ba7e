import type { StorefrontError } from './client/error.ts';
import type { FormSchema, Submission } from './client/schema.ts';
import { StorefrontFormElement } from './element/element.ts';

export { createStorefront, type Storefront, type StorefrontOptions } from './client/client.ts';
export { StorefrontError, type FieldError } from './client/error.ts';
export type { FieldOption, FormField, FormSchema, Submission, ValidationRule } from './client/schema.ts';
export { catalogues, type Catalogue } from './messages/catalogue.ts';
export { StorefrontFormElement } from './element/element.ts';

// A page that loads the file twice, from two addresses, keeps the first; a server that renders has no registry.
const registry = globalThis.customElements as CustomElementRegistry | undefined;
if (!registry?.get('storefront-form')) registry?.define('storefront-form', StorefrontFormElement);

declare global {
  interface HTMLElementTagNameMap {
    'storefront-form': StorefrontFormElement;
  }
  interface GlobalEventHandlersEventMap {
    'storefront-ready': CustomEvent<FormSchema>;
    'storefront-submit': CustomEvent<{ readonly formId: string; readonly data: Record<string, unknown> }>;
    'storefront-success': CustomEvent<Submission>;
    /** A `DOMException` called `TimeoutError` where no answer came in time. */
    'storefront-error': CustomEvent<StorefrontError | DOMException>;
  }
}
