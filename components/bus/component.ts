export const name = 'bus';
export const migrations = new URL('./migrations/', import.meta.url);
export { publish } from './outbox/publish.ts';
