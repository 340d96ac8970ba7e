import { defineErrors } from '@steward/kernel';

export const booksFail = defineErrors({
  invalid_amount: [422, 'The amount is not one of its currency'],
  amount_too_large: [422, 'The amount is beyond what an account can hold'],
  unbalanced_entry: [422, 'Debits and credits differ'],
  account_unusable: [422, 'The account does not exist or is not in use'],
  rate_missing: [422, 'There is no exchange rate for that day'],
  period_closed: [409, 'The month is closed'],
  already_reversed: [409, 'The entry was reversed before'],
  not_reversible: [409, 'The entry is not reversed by itself'],
  year_closed: [409, 'The fiscal year is closed'],
  invalid_chart: [422, 'The file is not acceptable'],
  invalid_statement: [422, 'The bank file is not acceptable'],
  match_exceeds: [409, 'The match is beyond what is open'],
  reconciled: [409, 'The account is reconciled beyond that day'],
  not_reconciled: [409, 'The account does not agree with its bank'],
  year_not_over: [409, 'The fiscal year is not over'],
});
