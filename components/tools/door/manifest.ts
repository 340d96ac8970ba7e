import { createHash } from 'node:crypto';
import type { CompiledTool } from '../catalogue/compile.ts';
import { supportedRevisions } from '../protocol/revisions.ts';
import type { ToolServer, Visit } from '../rpc/request.ts';
import { profileOf } from '../rpc/enter.ts';
import { internalScopes, publicScopes } from './bearer.ts';
import { acceptsGzip, gzipOf } from './gzip.ts';

/** Of the manifest's own shape. */
const schemaVersion = '2026-11-01';

/** Answers `GET …/manifest`: exactly the tools that the same address lists, with an ETag of the content. */
export function createManifests(server: ToolServer): (visit: Visit, head: boolean) => Promise<void> {
  const { deps, surface, classes } = server;
  const transport = {
    type: 'streamable-http',
    stateless: true,
    methods: ['POST'],
    protocol_versions: supportedRevisions,
  };

  const aboutOf = ({ address, caller }: Visit, tools: readonly CompiledTool[]): string => {
    const shown = tools.flatMap(({ tool }) => (tool === undefined ? [] : [tool]));
    const about = {
      schema_version: schemaVersion,
      canonical_catalog: `${deps.addresses.mcp}/manifest`,
      surface,
      transport: { ...transport, url: address.url },
      auth: {
        type: 'bearer',
        resource: address.url,
        resource_metadata: address.metadataUrl,
        authorization_servers: deps.authorizationServers,
        scopes: surface === 'public' ? publicScopes : internalScopes,
        tenant_header: 'X-Tenant-ID',
        tenant_required: address.tenant === undefined && caller.tenantClaim === undefined,
      },
      counts: {
        total: tools.length,
        by_kind: countBy(shown.map(({ kind }) => kind)),
        by_pillar: countBy(shown.map(({ pillar }) => pillar)),
      },
    };
    return `,${JSON.stringify(about).slice(1)}`;
  };

  return async (visit, head) => {
    const profile = await profileOf(server, visit);
    const seen = classes(visit.caller, profile, visit.address.view);
    const tools = seen.manifest();
    const about = Buffer.from(aboutOf(visit, [...seen.tools.values()]));
    const etag = `"${createHash('sha256').update(tools).update(about).digest('base64url')}"`;
    const { response, headers, requestId } = visit;
    response.setHeader('x-request-id', requestId);
    response.setHeader('etag', etag);
    response.setHeader('cache-control', 'private, no-cache');
    response.appendHeader('vary', 'authorization, x-tenant-id, accept-encoding');
    if (matches(headers['if-none-match'], etag)) {
      response.writeHead(304).end();
      return;
    }
    response.setHeader('content-type', 'application/json');
    const packed = acceptsGzip(headers['accept-encoding']);
    if (packed) response.setHeader('content-encoding', 'gzip');
    const sent = packed ? gzipOf(tools, about) : Buffer.concat([tools, about]);
    response.setHeader('content-length', sent.length);
    response.writeHead(200).end(head ? undefined : sent);
  };
}

/** RFC 9110 §13.1.2: `*`, or a list of tags compared weakly. */
const matches = (header: string | undefined, etag: string): boolean =>
  header !== undefined &&
  header.split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag);

const countBy = (values: readonly string[]): Record<string, number> =>
  Object.fromEntries(
    [...new Set(values)].toSorted().map((value) => [value, values.filter((one) => one === value).length]),
  );
