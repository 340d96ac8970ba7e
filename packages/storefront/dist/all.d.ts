export * from './storefront.js';
export * from './shop.js';
export { StorefrontError, type FieldError } from './storefront.js';
