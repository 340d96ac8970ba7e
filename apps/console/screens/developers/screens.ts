export { default as Developers } from './developers.tsx';
export { default as Errors } from './errors.tsx';
export { default as Keys } from './keys.tsx';
export { default as Webhook } from './webhook.tsx';
export { default as Webhooks } from './webhooks.tsx';
