/** Forms and the shop in one script: less than the two by themselves, because what both need is there once. */
export * from './index.ts';
export * from './shop.ts';
