import {
  getVariableValues,
  type GraphQLError,
  type GraphQLObjectType,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from 'graphql';
import type { GraphContext } from '../context.ts';
import { flagNames } from '../execution/collect.ts';
import { execute, type Executed } from '../execution/execute.ts';
import type { ObjectPlan } from '../execution/plan.ts';
import { createPlanner } from '../execution/planner.ts';
import type { Fragments, Variables } from '../execution/run.ts';
import { costOf } from './cost.ts';
import type { Measure } from './measure.ts';

const mostPlans = 8;

/** A valid operation of a document, ready to run any number of times. */
export class Operation {
  readonly node: OperationDefinitionNode;
  readonly measure: Measure;
  readonly #schema: GraphQLSchema;
  readonly #fragments: Fragments;
  readonly #root: GraphQLObjectType;
  readonly #flags: readonly string[];
  /** One plan for each combination of the values of `@skip` and `@include`. */
  readonly #plans = new Map<string, ObjectPlan>();

  constructor(
    schema: GraphQLSchema,
    fragments: Fragments,
    root: GraphQLObjectType,
    node: OperationDefinitionNode,
    measure: Measure,
  ) {
    this.node = node;
    this.measure = measure;
    this.#schema = schema;
    this.#fragments = fragments;
    this.#root = root;
    this.#flags = flagNames([node.selectionSet, ...Object.values(fragments).map(({ selectionSet }) => selectionSet)]);
  }

  /** Variables in the operation's own types, or why they do not fit. */
  coerce(given: Readonly<Record<string, unknown>>): { values: Variables } | { faults: readonly GraphQLError[] } {
    const { variableValues, errors } = getVariableValues(this.#schema, this.node.variableDefinitions ?? [], given, {
      maxErrors: 10,
    });
    return variableValues === undefined ? { faults: errors } : { values: variableValues };
  }

  cost(variables: Variables): number {
    return costOf(this.measure.cost, variables.coerced);
  }

  execute(variables: Variables, context: GraphContext): Executed | Promise<Executed> {
    const run = {
      schema: this.#schema,
      operation: this.node,
      fragments: this.#fragments,
      variables,
      context,
      errors: [],
      nulled: new Set<string>(),
    };
    return execute(run, this.#plan(variables));
  }

  #plan({ coerced }: Variables): ObjectPlan {
    const choice = this.#flags.map((name) => String(coerced[name])).join();
    let plan = this.#plans.get(choice);
    if (plan === undefined) {
      const flags = Object.fromEntries(this.#flags.map((name) => [name, coerced[name]]));
      const planner = createPlanner({ schema: this.#schema, fragments: this.#fragments, flags });
      plan = planner.plan(this.#root, [this.node.selectionSet]);
      if (this.#plans.size >= mostPlans) this.#plans.clear();
      this.#plans.set(choice, plan);
    }
    return plan;
  }
}
