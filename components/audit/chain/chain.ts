/** How events are written down, hashed and found: for what seals them and what verifies them. */
export { canonical } from './canonical.ts';
export { eventHash } from './event-hash.ts';
export { genesis } from './genesis.ts';
export { rowHash } from './row-hash.ts';
export { searchName } from '../appending/entry.ts';
export { isSealed } from '../personal/values/sealed-value.ts';
export { type Place, type Receipt, receiptBytes, type Sign } from '../receipts/receipt.ts';
