export { default as Activity } from './activity.tsx';
export { default as One } from './one.tsx';
export { default as Verify } from './verify.tsx';
