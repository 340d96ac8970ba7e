import { StorefrontError, type FieldError } from '../client/error.ts';
import type { Catalogue } from '../messages/catalogue.ts';
import type { DrawnField } from './field.ts';

/** What a visitor is told of a call that did not succeed. @param silence said where nobody knows whether it was done */
export function textOf(error: unknown, words: Catalogue, silence = words.network): string {
  // A browser does not say whether a connection was lost before or after the server had what it was sent.
  if (!(error instanceof StorefrontError) || !error.status || error.code === 'outcome_unknown') return silence;
  const { status, code, message, retryAfter = 60 } = error;
  // Without Retry-After, or where a page of another origin may not read it: the limits are counted by the minute.
  if (status === 429) return words.wait.replace('{n}', String(retryAfter));
  if ([401, 403, 404].includes(status)) {
    // For whoever builds the page; visitors can do nothing about it.
    console.error('<storefront-form>', code, message);
    return words.unavailable;
  }
  return words.failed;
}

/** What the server says of a field, in the visitor's language where it can. */
export function textOfFault({ code, detail }: FieldError, field: DrawnField | undefined, words: Catalogue): string {
  if (/^(required|blank|empty)$/.test(code)) return words.required;
  return (code === 'invalid_value' && field?.expected) || detail || words.failed;
}
