// An entry point of its own: a component says what its fields do and cost without loading what serves them.

export { doing } from './effect.ts';
export { weigh } from './weight.ts';
export { argsOf, enumOf, type Given, inputOf, objectOf } from './of-schema.ts';
