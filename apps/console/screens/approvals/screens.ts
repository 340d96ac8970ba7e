export { default as Inbox } from './inbox.tsx';
export { default as One } from './one.tsx';
export { default as Together } from './together.tsx';
