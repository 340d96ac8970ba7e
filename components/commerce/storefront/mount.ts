import { mountRoutes, type Route } from '@steward/contract';
import { fail, Problem, requestProblem, type Request, type Scope } from '@steward/kernel';
import type { LimitAnswer } from '@steward/limits';
import type { SiteKey } from '@steward/studio';
import type { CommercePorts } from '../ports.ts';
import type { FormCounts } from '../counts/counts.ts';
import type { RefusalNotes } from '../refusals/refusals.ts';
import { answerPreflight, forbidReading, letRead } from './cors.ts';
import { refusedKey, type Visit } from './guard.ts';
import { type Admission, keyTextOf } from './admission.ts';
import { paths } from './routes.ts';

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'QUERY', 'TRACE'] as const;

/**
 * Everything under `/storefront/v1`, in a scope of its own. First of all the limits, by address before anything is looked up;
 * then who may read the answer; then the route.
 */
export function mountStorefront(
  scope: Scope,
  routes: readonly Route[],
  visits: WeakMap<Request, Visit>,
  { notes, counts }: { readonly notes: RefusalNotes; readonly counts: Pick<FormCounts, 'note'> },
  { admit }: Admission,
  { storefront }: Pick<CommercePorts, 'storefront'>,
): void {
  void scope.register(async (own) => {
    own.addHook('onRequest', (request, reply, done) => {
      const { method } = request;
      letRead(reply, method === 'OPTIONS' ? undefined : request.headers.origin);
      const settle = ({ fields, refusal }: LimitAnswer): void => {
        reply.headers(fields);
        if (refusal === undefined) done();
        else done(refusal);
      };
      // By the route, which nothing in the address but its path decides.
      const taken = admit(request.raw, request.routeOptions.url?.endsWith(paths.start) === true ? 'start' : undefined);
      if (taken instanceof Promise) taken.then(settle, done);
      else settle(taken);
    });
    own.addHook('preHandler', (request, _reply, done) => {
      // A body may have been held back until the key was revoked.
      const text = request.body === undefined ? undefined : keyTextOf(request);
      if (text === undefined || storefront.knownKey(text) !== undefined) return done();
      const settle = (key: SiteKey | undefined): void => done(key === undefined ? refusedKey(text) : undefined);
      const found = storefront.keyOf(text);
      if (found instanceof Promise) found.then(settle, done);
      else settle(found);
    });
    own.addHook('onError', (request, reply, error, done) => {
      const problem = error instanceof Problem ? error : requestProblem(error);
      if (problem.code === 'origin_not_allowed') forbidReading(reply);
      const visit = visits.get(request);
      // Faults that the page's builder can mend. Our own failures are in the log.
      if (visit !== undefined && request.method === 'POST' && problem.status < 500) {
        notes.note(visit.key, visit.formId, problem);
        counts.note(visit.key, visit.formId, 'refused');
      }
      done();
    });
    mountRoutes(own, routes);
    for (const [url, those] of Map.groupBy(routes, ({ path }) => path)) {
      const allowed = those.flatMap(({ method }) => (method === 'GET' ? [method, 'HEAD'] : [method]));
      const allow = [...allowed, 'OPTIONS'].join(', ');
      own.route({
        method: 'OPTIONS',
        url,
        handler: async (request, reply) => {
          reply.header('vary', 'Origin, Access-Control-Request-Method, Access-Control-Request-Headers');
          const { origin } = request.headers;
          if (origin !== undefined && (await storefront.namesOrigin(origin))) answerPreflight(reply, origin, allow);
          return reply.code(204).header('allow', allow).send();
        },
      });
      own.route({
        method: methods.filter((method) => !(allowed as readonly string[]).includes(method)),
        url,
        onRequest: (_request, _reply, done) => {
          done(fail('method_not_allowed', `Use ${allowed.join(' or ')} here.`, { headers: { allow } }));
        },
        handler: async () => undefined,
      });
    }
  });
}
