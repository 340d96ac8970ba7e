import type { Problem } from '@steward/kernel';
import type { GraphQLError } from 'graphql';

/** An operation refused before anything was resolved: a request error, answered without `data`. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly problem: Problem;
  /** Faults with their places in the document; without any, the problem itself is the one error. */
  readonly faults: readonly GraphQLError[];

  constructor(problem: Problem, faults: readonly GraphQLError[] = []) {
    super(problem.message);
    this.problem = problem;
    this.faults = faults;
  }
}
