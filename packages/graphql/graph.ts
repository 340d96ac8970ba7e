import type { Log, Scope } from '@steward/kernel';
import { printSchema, type GraphQLSchema } from 'graphql';
import { mountGraph, type MountOptions } from './http/mount.ts';
import { defaultLimits, type Limits } from './limits.ts';
import { createDeadline } from './operation/deadline.ts';
import { createPrepare } from './operation/prepare.ts';
import { createPlayground } from './playground/page.ts';
import { buildSchema } from './schema/build.ts';
import type { GraphModule } from './schema/builder.ts';
import type { AdmitField } from './schema/admit.ts';

export interface GraphOptions {
  readonly modules: readonly GraphModule[];
  readonly limits?: Partial<Limits>;
  /** Judges what fields do; with it every field of a root type must say (`doing`). */
  readonly admit?: AdmitField;
  /** Serve a page to try operations in to browsers. For development only. */
  readonly graphiql: boolean;
  readonly log: Log;
}

export interface Graph {
  readonly schema: GraphQLSchema;
  /** The schema definition, sorted: equal for equal modules. Computed at each read; no start needs it. */
  sdl(): string;
  mount(scope: Scope, options: MountOptions): void;
}

/** One schema from the modules' parts, served over HTTP. @throws Error when the parts do not fit together */
export function createGraph(options: GraphOptions): Graph {
  const schema = buildSchema(options.modules, options.admit);
  const limits = { ...defaultLimits, ...options.limits };
  const answering = {
    prepare: createPrepare(schema, limits),
    limits,
    inTime: createDeadline(limits.milliseconds),
    log: options.log,
  };
  const playground = options.graphiql ? createPlayground() : undefined;
  return {
    schema,
    sdl: () => `${printSchema(schema)}\n`,
    mount: (scope, mounting) => mountGraph(scope, mounting, answering, playground),
  };
}
