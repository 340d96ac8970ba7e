import { defineErrors } from '@steward/kernel';

export const checkoutFail = defineErrors({
  archived: [409, 'It is archived and does not change any more'],
  tax_zone_taken: [409, 'Another tax zone has this place'],
  shipping_zone_taken: [409, 'Another shipping zone has this place'],
  discount_code_taken: [409, 'Another discount has this code'],
  discount_unusable: [409, 'A discount of the order can no longer be used'],
  cart_closed: [409, 'The cart is closed'],
  checkout_closed: [409, 'The checkout is closed'],
  checkout_changed: [409, 'The checkout has changed'],
  checkout_not_ready: [409, 'The checkout is not ready'],
  payment_in_progress: [409, 'The checkout is being paid'],
  idempotency_key_reused: [409, 'The idempotency key was used for another request'],
  idempotency_in_flight: [409, 'A request under the idempotency key is under way'],
  version_changed: [412, 'It has changed since it was read'],
  not_sold: [422, 'The shop does not sell this'],
  payment_attempts_spent: [409, 'As many payments of the checkout failed as may'],
  payment_attempt_limit: [429, 'As many payments of agents failed within the hour as may'],
  payment_not_offered: [422, 'The checkout offers no such payment'],
  selling_limit: [409, 'The tenant has reached its limit of zones, options or discounts'],
  country_not_served: [422, 'The shop does not ship to this address'],
  no_shipping_option: [422, 'No way of shipping fits the order'],
});
