export { limitFields, spend, type Limit } from './spend.ts';
export { createLimiter, type Admittance, type Limiter } from './limiter.ts';
