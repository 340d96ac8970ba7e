import { defineErrors } from '@steward/kernel';

export const bookkeepingFail = defineErrors({
  posting_account_unusable: [422, 'The account cannot be used for this'],
  posting_account_missing: [409, 'The posting profile has no account for this'],
  posting_differs: [409, 'The document would differ from the order'],
  invoice_not_issued: [409, 'The invoice of the order is not issued'],
  payment_not_posted: [409, 'What came in for the order is not in the books'],
  edit_not_posted: [409, 'An edit of the order is not in the books'],
  people_post: [409, 'The posting profile leaves posting to people'],
});
