import type { Reply, Request, Scope } from '@steward/kernel';
import type { TenantContext } from '@steward/sql';
import type { GraphContext } from '../context.ts';
import { createLoad } from '../loading/loading.ts';
import type { Playground } from '../playground/page.ts';
import { answer, type Answering } from './answer.ts';

export interface MountOptions {
  /** Under the scope's own prefix, such as `/graphql`. */
  readonly path: string;
  /**
   * The guard: who calls, and in which tenant. It runs before the body is read.
   * @throws Problem `unauthenticated`, `tenant_required`, `tenant_forbidden`, …
   */
  readonly admit: (request: Request) => Promise<TenantContext> | TenantContext;
}

const admitted = Symbol('admitted');

interface Admitted extends Request {
  [admitted]?: GraphContext;
}

/** Serves GET (queries) and POST at one path. */
export function mountGraph(
  scope: Scope,
  options: MountOptions,
  answering: Answering,
  playground: Playground | undefined,
): void {
  scope.route({
    method: ['GET', 'POST'],
    url: options.path,
    exposeHeadRoute: false,
    onRequest: async (request, reply) => {
      if (playground !== undefined && wantsPage(request)) return playground.send(reply);
      (request as Admitted)[admitted] = contextOf(request, await options.admit(request));
    },
    handler: async (request: Request, reply: Reply) => {
      const context = (request as Admitted)[admitted];
      if (context === undefined) throw new Error('the guard did not run');
      return answer(answering, request, reply, context);
    },
  });
}

function contextOf({ id, headers }: Request, tenant: TenantContext): GraphContext {
  const context: GraphContext = { tenant, request: { id, headers }, load: createLoad(() => context) };
  return context;
}

/** A browser's own navigation: nothing else prefers HTML. */
const wantsPage = (request: Request): boolean =>
  request.method === 'GET' &&
  (request.headers.accept ?? '').startsWith('text/html') &&
  !Object.hasOwn(request.query as object, 'query');
