// An entry point of its own: a component says what its fields do and cost without loading what serves them.

export { doing } from './effect.ts';
export { weigh } from './weight.ts';
export { inputOfField } from './check.ts';
export { enumOf, inputOf, objectOf, taking } from './of-schema.ts';
