export { default as Billing } from './billing.tsx';
export { default as Brands } from './brands.tsx';
export { default as Data } from './data.tsx';
export { default as Policy } from './policy.tsx';
export { default as Sessions } from './sessions.tsx';
export { default as Settings } from './settings.tsx';
