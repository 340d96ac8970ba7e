import { fail, type FieldError, type Problem } from '@steward/kernel';
import { stockFail } from './errors.ts';

const mostFaults = 20;

const told = (faults: readonly FieldError[]): string =>
  `${faults[0]?.pointer ?? ''}: ${faults[0]?.detail ?? 'see errors'}${faults.length > 1 ? ` ${faults.length} lines or members are wrong.` : ''}`;

/** @returns Problem `invalid_request` (400) that names up to twenty faults */
export const invalidLines = (faults: readonly FieldError[]): Problem =>
  fail('invalid_request', `Nothing was changed. ${told(faults)}`, { errors: faults.slice(0, mostFaults) });

/** @returns Problem `stock_insufficient` (409) that names up to twenty faults */
export const insufficient = (faults: readonly FieldError[]): Problem =>
  stockFail('stock_insufficient', `Nothing was changed. ${told(faults)}`, { errors: faults.slice(0, mostFaults) });
