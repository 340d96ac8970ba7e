import { dictionary } from '@steward/kernel';

export type Severity = 'recoverable' | 'requires_buyer_input' | 'requires_buyer_review' | 'unrecoverable';

export type Message =
  | {
      readonly type: 'error';
      readonly code: string;
      readonly content: string;
      readonly severity: Severity;
      readonly path?: string;
    }
  | { readonly type: 'warning'; readonly code: string; readonly content: string; readonly path?: string }
  | { readonly type: 'info'; readonly code?: string; readonly content: string; readonly path?: string };

/** @param path RFC 9535, of the answer */
export const problem = (
  code: string,
  content: string,
  path?: string,
  severity: Severity = 'recoverable',
): Message & { readonly type: 'error' } => ({
  type: 'error',
  code,
  content,
  severity,
  ...(path === undefined ? {} : { path }),
});

export const warning = (code: string, content: string, path?: string): Message => ({
  type: 'warning',
  code,
  content,
  ...(path === undefined ? {} : { path }),
});

/** The codes of discounts that do nothing, by ours. */
export const discountCodes = dictionary<string>({
  discount_not_found: 'discount_code_invalid',
  discount_not_started: 'discount_code_invalid',
  discount_ended: 'discount_code_expired',
  discount_exhausted: 'discount_code_expired',
  discount_used_by_buyer: 'discount_code_user_ineligible',
  discount_wrong_currency: 'discount_code_invalid',
  discount_nothing_eligible: 'discount_code_invalid',
  discount_minimum_not_met: 'discount_code_invalid',
  discount_not_combinable: 'discount_code_combination_disallowed',
  discount_outdone: 'discount_code_combination_disallowed',
  discount_too_many: 'discount_code_combination_disallowed',
});
