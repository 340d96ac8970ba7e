export { createGraph, type Graph, type GraphOptions } from './graph.ts';
export { createBuilder, type GraphBuilder, type GraphModule } from './schema/builder.ts';
export type { AdmitField } from './schema/admit.ts';
export type { Batch, GraphContext } from './context.ts';
export type { MountOptions } from './http/mount.ts';
export { defaultLimits, type Limits } from './limits.ts';
export { errors } from './errors.ts';
