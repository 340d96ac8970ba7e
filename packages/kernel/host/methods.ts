import type { FastifyInstance, FastifyRequest } from 'fastify';

export type KnownRoutes = Map<string, { pattern: RegExp; methods: Set<string> }>;

/** Collects what is routed, so that a wrong method on a known path is a 405 that names the right ones. */
export function rememberRoutes(app: FastifyInstance): KnownRoutes {
  const known: KnownRoutes = new Map();
  app.addHook('onRoute', ({ url, method }) => {
    const entry = known.get(url) ?? { pattern: patternOf(url), methods: new Set<string>() };
    for (const one of [method].flat()) entry.methods.add(one);
    known.set(url, entry);
  });
  return known;
}

export function allowedMethods(known: KnownRoutes, request: FastifyRequest): string[] {
  const path = request.url.split('?', 1)[0] ?? '';
  const found = new Set<string>();
  for (const { pattern, methods } of known.values()) {
    if (pattern.test(path)) for (const method of methods) found.add(method);
  }
  return [...found].toSorted();
}

function patternOf(url: string): RegExp {
  const source = url
    .split('/')
    .map((part) => (part.startsWith(':') ? '[^/]+' : part === '*' ? '.*' : RegExp.escape(part)))
    .join('/');
  return new RegExp(`^${source}$`);
}
