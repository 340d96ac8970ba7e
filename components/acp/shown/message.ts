import { dictionary } from '@steward/kernel';

export interface Message {
  readonly type: 'info' | 'warning' | 'error';
  readonly code?: string;
  readonly resolution?: 'recoverable' | 'requires_buyer_input' | 'requires_buyer_review';
  /** RFC 9535, of the answer. */
  readonly param?: string;
  readonly content_type: 'plain';
  readonly content: string;
}

const told =
  (type: Message['type']) =>
  (code: string, content: string, param?: string, resolution?: Message['resolution']): Message => ({
    type,
    code,
    ...(resolution === undefined ? {} : { resolution }),
    ...(param === undefined ? {} : { param }),
    content_type: 'plain',
    content,
  });

export const warning = told('warning');
export const problem = (code: string, content: string, param?: string): Message =>
  told('error')(code, content, param, 'recoverable');

/** What the buyer alone can do. */
export const byBuyer = (code: string, content: string): Message =>
  told('error')(code, content, undefined, 'requires_buyer_review');

/** Why a code of a discount does nothing, by ours. */
export const discountCodes = dictionary<string>({
  discount_not_found: 'discount_code_invalid',
  discount_not_started: 'discount_code_invalid',
  discount_ended: 'discount_code_expired',
  discount_exhausted: 'discount_code_usage_limit_reached',
  discount_used_by_buyer: 'discount_code_user_ineligible',
  discount_wrong_currency: 'discount_code_invalid',
  discount_nothing_eligible: 'discount_code_invalid',
  discount_minimum_not_met: 'discount_code_minimum_not_met',
  discount_not_combinable: 'discount_code_combination_disallowed',
  discount_outdone: 'discount_code_combination_disallowed',
  discount_too_many: 'discount_code_combination_disallowed',
});
