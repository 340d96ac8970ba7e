import type { IncomingHttpHeaders } from 'node:http';
import { mismatch } from '../protocol/modern.ts';
import { decodeHeader } from '../protocol/header-value.ts';
import { isObject } from '../protocol/message.ts';

/** An argument that clients repeat in the header `Mcp-Param-<name>` (MCP 2026-07-28, `x-mcp-header`). */
export interface Mirrored {
  /** Lower case, as Node keys headers. */
  readonly header: string;
  readonly path: readonly string[];
  readonly type: 'string' | 'integer' | 'boolean';
}

const annotation = 'x-mcp-header';
const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/**
 * The mirrored arguments of an input schema.
 * @throws TypeError for an annotation that clients would drop the tool for
 */
export function mirroredIn(schema: Readonly<Record<string, unknown>>, tool: string): Mirrored[] {
  const found = collect(schema, []);
  const annotated = JSON.stringify(schema).split(`"${annotation}":`).length - 1;
  if (annotated !== found.length) throw new TypeError(`${tool}: ${annotation} stands where no plain property leads`);
  for (const { header, type } of found) {
    if (!token.test(header.slice('mcp-param-'.length)) || !['string', 'integer', 'boolean'].includes(type)) {
      throw new TypeError(`${tool}: ${annotation} needs a token on a string, integer or boolean`);
    }
  }
  if (new Set(found.map(({ header }) => header)).size < found.length)
    throw new TypeError(`${tool}: ${annotation} repeats`);
  return found;
}

function collect(schema: Readonly<Record<string, unknown>>, path: readonly string[]): Mirrored[] {
  const properties = schema['properties'];
  if (!isObject(properties)) return [];
  return Object.entries(properties).flatMap(([key, property]) => {
    if (!isObject(property)) return [];
    const name = property[annotation];
    const own =
      name === undefined
        ? []
        : [
            {
              header: `mcp-param-${String(name).toLowerCase()}`,
              path: [...path, key],
              type: property['type'] as Mirrored['type'],
            },
          ];
    return [...own, ...collect(property, [...path, key])];
  });
}

/** @throws ProtocolError -32020 (400) where a header and its argument differ, or one is there without the other */
export function checkMirrored(mirrored: readonly Mirrored[], args: unknown, headers: IncomingHttpHeaders): void {
  for (const { header, path, type } of mirrored) {
    const value = path.reduce<unknown>(
      (at, key) => (isObject(at) && Object.hasOwn(at, key) ? at[key] : undefined),
      args,
    );
    const given = headers[header];
    if (value === undefined || value === null) {
      if (given !== undefined) throw mismatch(`${header} has no argument to mirror.`);
    } else if (typeof given !== 'string') {
      throw mismatch(`${header} is missing: it must repeat the argument ${path.join('.')}.`);
    } else if (!same(type, decodeHeader(given), value)) {
      throw mismatch(`${header} does not match the argument ${path.join('.')}.`);
    }
  }
}

function same(type: Mirrored['type'], header: string | undefined, value: unknown): boolean {
  if (header === undefined) return false;
  // By value, so that 42.0 mirrors 42; an argument of another type is left to the schema to refuse.
  if (type === 'integer' && typeof value === 'number') return header.trim() !== '' && Number(header) === value;
  return header === String(value);
}
