import { defineErrors, fail, type FieldError } from '@steward/kernel';

export const catalogueFail = defineErrors({
  handle_taken: [409, 'Another product or collection has this handle'],
  product_changed: [409, 'Somebody else changed the product'],
  collection_changed: [409, 'Somebody else changed the collection'],
  collection_archived: [409, 'The collection is archived'],
  collection_limit: [409, 'The tenant has as many collections as it may have'],
  price_list_changed: [409, 'Somebody else changed the price list'],
  price_list_limit: [409, 'The tenant has as many price lists as it may have'],
  picture_unreadable: [422, 'The bytes are no picture that can be read'],
  logo_unusable: [422, 'The picture cannot be a logo'],
  product_not_sellable: [409, 'The product cannot be sold in its present state'],
});

/** @throws never: answers a Problem `invalid_request` (400) that names up to twenty of the faults */
export const refused = (errors: readonly FieldError[]): Error =>
  fail('invalid_request', `${errors[0]?.pointer ?? ''}: ${errors[0]?.detail ?? ''}`, { errors: errors.slice(0, 20) });
