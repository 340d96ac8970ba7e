import { trimEnd } from '@steward/kernel';
import { z } from 'zod';
import type { Route } from './route.ts';

export interface OpenApiOptions {
  readonly title: string;
  readonly version: string;
  readonly description: string;
  /** Public base URL of each component. */
  readonly servers: Readonly<Record<string, string>>;
  readonly routes: Readonly<Record<string, readonly Route[]>>;
  /** code → [status, title], of every code there is. */
  readonly codes: Readonly<Record<string, readonly [number, string]>>;
}

/** Codes any route may answer with, whatever it does. */
const common = ['invalid_request', 'rate_limited', 'internal_error', 'unavailable', 'deadline_exceeded'];
const withBody = ['invalid_json', 'payload_too_large', 'unsupported_media_type', 'unsupported_content_encoding'];

/**
 * An OpenAPI 3.1 document of the routes.
 * @throws Error when a route names a code that no table declares
 */
export function openApiDocument(options: OpenApiOptions): object {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const [component, routes] of Object.entries(options.routes)) {
    const prefix = trimEnd(new URL(options.servers[component] ?? '').pathname, '/');
    for (const route of routes) {
      const path = prefix + route.path.replace(/:([A-Za-z]+)/g, '{$1}');
      (paths[path] ??= {})[route.method.toLowerCase()] = operation(route, component, options.codes);
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: options.title,
      version: options.version,
      description: options.description,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [...new Set(Object.values(options.servers).map((base) => new URL(base).origin))].map((url) => ({ url })),
    paths,
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
      schemas: { Problem: problemSchema },
    },
  };
}

function operation(route: Route, component: string, codes: OpenApiOptions['codes']): object {
  const body = route.body ?? route.described;
  return {
    operationId: `${component}.${route.method.toLowerCase()}${route.path.replace(/[^A-Za-z]+(.)?/g, (_all, next: string | undefined) => (next ?? '').toUpperCase())}`,
    summary: route.summary,
    ...(route.description === undefined ? {} : { description: route.description }),
    tags: [route.tag],
    ...(typeof route.does === 'string' && route.does.startsWith('service_') ? { 'x-tool': route.does } : {}),
    ...(route.guard.security === 'none' ? { security: [] } : { security: [{ bearer: [] }] }),
    parameters: parameters(route),
    ...(route.upload === undefined
      ? {}
      : {
          requestBody: {
            required: true,
            content: Object.fromEntries(
              route.upload.types.map((type) => [type, { schema: { type: 'string', format: 'binary' } }]),
            ),
          },
        }),
    ...(body === undefined
      ? {}
      : { requestBody: { required: true, content: { 'application/json': { schema: jsonSchema(body, 'input') } } } }),
    responses: { ...answers(route), ...problems(route, codes) },
  };
}

type Properties = Record<string, object>;

function parameters(route: Route): object[] {
  const fields = (schema: z.ZodType | undefined, place: 'path' | 'query'): object[] => {
    if (schema === undefined) return [];
    const { properties = {}, required = [] } = jsonSchema(schema, 'input') as {
      properties?: Properties;
      required?: string[];
    };
    return Object.entries(properties).map(([name, one]) => ({
      name,
      in: place,
      required: place === 'path' || required.includes(name),
      schema: one,
    }));
  };
  const headers = Object.entries(route.headers ?? {}).map(([name, description]) => ({
    name,
    in: 'header',
    required: false,
    description,
    schema: { type: 'string' },
  }));
  const tenant =
    route.guard.security === 'tenant'
      ? [{ name: 'X-Tenant-ID', in: 'header', required: true, schema: { type: 'string', format: 'uuid' } }]
      : [];
  return [...fields(route.params, 'path'), ...fields(route.query, 'query'), ...tenant, ...headers];
}

function answers(route: Route): Record<string, object> {
  return Object.fromEntries(
    Object.entries(route.answers).map(([status, { description, schema, types = [] }]) => {
      const content = {
        ...(schema === undefined ? {} : { 'application/json': { schema: jsonSchema(schema, 'output') } }),
        ...Object.fromEntries(types.map((type) => [type, { schema: { type: 'string' } }])),
      };
      return [status, { description, ...(Object.keys(content).length === 0 ? {} : { content }) }];
    }),
  );
}

function problems(route: Route, codes: OpenApiOptions['codes']): Record<string, object> {
  const possible = new Set([
    ...route.guard.errors,
    ...(route.errors ?? []),
    ...common,
    ...(route.method === 'GET' ? [] : ['outcome_unknown']),
    ...(route.method === 'POST' || route.method === 'PUT' || route.method === 'PATCH' ? withBody : []),
  ]);
  if (route.guard.security !== 'none') possible.add('unauthenticated');
  const byStatus = Map.groupBy(possible, (code) => {
    const row = codes[code];
    if (row === undefined)
      throw new Error(`${route.method} ${route.path} names the code ${code}, which no table declares`);
    return String(row[0]);
  });
  return Object.fromEntries(
    [...byStatus]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([status, list]) => [
        status,
        {
          description: list
            .toSorted()
            .map((code) => `\`${code}\``)
            .join(', '),
          content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
        },
      ]),
  );
}

function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): object {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Record<
    string,
    unknown
  >;
  return rest;
}

const problemSchema = {
  type: 'object',
  description: 'RFC 9457 problem document.',
  required: ['type', 'title', 'status', 'detail', 'code', 'requestId'],
  properties: {
    type: { type: 'string', format: 'uri' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
    code: { type: 'string', description: 'Stable error code for programs.' },
    requestId: { type: 'string' },
    errors: {
      type: 'array',
      items: {
        type: 'object',
        required: ['pointer', 'code', 'detail'],
        properties: {
          pointer: {
            type: 'string',
            description:
              'Where the fault is: a JSON pointer (RFC 6901) into the body, `{name}` of the path, `?name` of the query, or a header by its name.',
          },
          code: { type: 'string' },
          detail: { type: 'string' },
        },
      },
    },
  },
};
