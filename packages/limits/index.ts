export { limitFields, spend, type Limit } from './spend.ts';
export { createLimiter, type LimitAnswer, type Limiter } from './limiter.ts';
