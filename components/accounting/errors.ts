import { defineErrors, fail } from '@steward/kernel';

export const booksFail = defineErrors({
  invalid_amount: [422, 'The amount does not fit its currency'],
  amount_too_large: [422, 'The amount is beyond what an account can hold'],
  unbalanced_entry: [422, 'Debits and credits differ'],
  account_unusable: [422, 'The account does not exist or is not in use'],
  invalid_rate: [422, 'The exchange rate is not valid'],
  rate_missing: [422, 'There is no exchange rate for that day'],
  tax_in_use: [409, 'A shop asks for the tax'],
  period_closed: [409, 'The month is closed'],
  already_reversed: [409, 'The entry is already reversed'],
  not_reversible: [409, 'The entry belongs to a document or payment'],
  year_closed: [409, 'The fiscal year is closed'],
  invalid_tin: [422, 'The taxpayer id is not valid'],
  books_not_usd: [409, 'The books are not in US dollars'],
  invalid_chart: [422, 'The file cannot be imported'],
  already_opened: [409, 'The books already have opening balances'],
  invalid_statement: [422, 'The bank file cannot be imported'],
  match_exceeds: [409, 'The match exceeds the open amount'],
  reconciled: [409, 'The account is reconciled beyond that day'],
  not_reconciled: [409, 'The account does not agree with its bank statement'],
  month_not_begun: [409, 'The month has not begun'],
  year_not_over: [409, 'The fiscal year is not over'],
  earlier_year_open: [409, 'An earlier fiscal year is not closed'],
  control_account: [422, 'Only documents and payments post to this account'],
  party_archived: [409, 'The customer or supplier is archived'],
  invalid_percentage: [422, 'The percentage is not valid'],
  name_taken: [409, 'The name is in use'],
  document_invalid: [422, 'The document is not valid'],
  duplicate_document: [409, 'Another document has this supplier number'],
  not_a_draft: [409, 'The document is not a draft'],
  stale_document: [409, 'Somebody else changed the document'],
  pdf_too_long: [422, 'The document is too long for a PDF'],
  nothing_to_issue: [422, 'The document has nothing to issue'],
  already_void: [409, 'It is already void'],
  allocated: [409, 'Payments or credits are allocated to it'],
  not_allocated: [409, 'The allocation is already undone'],
  date_too_early: [422, 'It was changed on a later day'],
  over_allocated: [422, 'The allocation exceeds the open amount'],
  feed_in_use: [409, 'The feed, or the account, is in use'],
  not_matching: [422, 'The two cannot be allocated to each other'],
});

/** Refuses one member of a call. */
export const refuseAt = (pointer: string, code: Parameters<typeof booksFail>[0], detail: string): Error =>
  booksFail(code, detail, { errors: [{ pointer, code, detail }] });

/** What one member of a call says is not valid. */
export const invalidAt = (pointer: string, detail: string): Error =>
  fail('invalid_request', `${pointer}: ${detail}`, { errors: [{ pointer, code: 'invalid_value', detail }] });

/** What one member of a call names is not there. */
export const missingAt = (pointer: string, detail: string): Error =>
  fail('not_found', detail, { errors: [{ pointer, code: 'not_found', detail }] });

/** Receivables and payables are what documents and payments make them: anything else would part them from the sub-ledger. */
export function controlRefused(cause?: unknown, pointer?: string): Error {
  const detail =
    'Only documents and payments post to accounts receivable and payable: create an invoice, a bill, a credit or a ' +
    'payment. Enter open items of the time before these books as documents against the opening equity.';
  const errors = pointer === undefined ? {} : { errors: [{ pointer, code: 'control_account', detail }] };
  return booksFail('control_account', detail, { cause, ...errors });
}
