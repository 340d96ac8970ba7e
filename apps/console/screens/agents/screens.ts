export { default as Agents } from './agents.tsx';
export { default as Hire } from './hire.tsx';
export { default as One } from './one.tsx';
