import { defineErrors, fail } from '@steward/kernel';

export const booksFail = defineErrors({
  invalid_amount: [422, 'The amount is not one of its currency'],
  amount_too_large: [422, 'The amount is beyond what an account can hold'],
  unbalanced_entry: [422, 'Debits and credits differ'],
  account_unusable: [422, 'The account does not exist or is not in use'],
  invalid_rate: [422, 'The exchange rate is not one'],
  rate_missing: [422, 'There is no exchange rate for that day'],
  period_closed: [409, 'The month is closed'],
  already_reversed: [409, 'The entry was reversed before'],
  not_reversible: [409, 'The entry is not reversed by itself'],
  year_closed: [409, 'The fiscal year is closed'],
  invalid_tin: [422, 'The taxpayer id is not valid'],
  books_not_usd: [409, 'The books are not in US dollars'],
  invalid_chart: [422, 'The file is not acceptable'],
  already_opened: [409, 'The books were opened before'],
  invalid_statement: [422, 'The bank file is not acceptable'],
  match_exceeds: [409, 'The match is beyond what is open'],
  reconciled: [409, 'The account is reconciled beyond that day'],
  not_reconciled: [409, 'The account does not agree with its bank'],
  year_not_over: [409, 'The fiscal year is not over'],
  control_account: [422, 'The account is posted to by documents only'],
  party_archived: [409, 'The customer or supplier is archived'],
  invalid_percentage: [422, 'The percentage is not one'],
  name_taken: [409, 'The name is in use'],
  document_invalid: [422, 'The document is not valid'],
  duplicate_document: [409, 'The supplier number was entered before'],
  not_a_draft: [409, 'The document is not a draft'],
  stale_document: [409, 'The document was changed meanwhile'],
  nothing_to_issue: [422, 'There is nothing to issue'],
  already_void: [409, 'It was voided before'],
  allocated: [409, 'It is allocated'],
  not_allocated: [409, 'The allocation was taken back before'],
  date_too_early: [422, 'Something happened on a later day'],
  over_allocated: [422, 'More is allocated than is open'],
  not_matching: [422, 'The two cannot be allocated to one another'],
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
    'Accounts receivable and payable are posted to by documents and payments only: write an invoice, a bill, a credit ' +
    'or a payment. What is open when the books begin is entered as documents against the opening equity.';
  const errors = pointer === undefined ? {} : { errors: [{ pointer, code: 'control_account', detail }] };
  return booksFail('control_account', detail, { cause, ...errors });
}
