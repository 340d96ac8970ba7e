export { default as Home } from './home.tsx';
export { readsOf } from './reads.ts';
