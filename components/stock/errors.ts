import { defineErrors } from '@steward/kernel';

export const stockFail = defineErrors({
  location_code_taken: [409, 'Another location has this code'],
  location_limit: [409, 'The tenant has reached its limit of locations'],
  location_in_use: [409, 'The location holds stock'],
  stock_insufficient: [409, 'There is not enough stock'],
  stock_owed: [409, 'More is reserved than there is'],
});
