import type { IncomingMessage, ServerResponse } from 'node:http';

/** Lets pages of other origins call the endpoint; whether a request was a preflight and is answered. */
export type CrossOrigin = (request: IncomingMessage, response: ServerResponse) => boolean;

const ownHeaders = ['authorization', 'content-type', 'accept', 'x-tenant-id', 'x-request-id'];
const protocolHeader = /^(?:mcp|last-event)-[a-z0-9-]{1,64}$/;
const told = 'www-authenticate, x-request-id, etag, retry-after';

/**
 * CORS (Fetch §3.2) for clients in a browser. No credentials: a token is in the header, and a cookie means nothing here.
 * @param origins such as `https://inspector.example.com`
 */
export function crossOrigin(origins: readonly string[]): CrossOrigin {
  const allowed = new Set(origins.map((origin) => origin.toLowerCase()));
  return ({ method, headers }, response) => {
    const { origin } = headers;
    if (origin === undefined || !allowed.has(origin.toLowerCase())) return false;
    response.setHeader('access-control-allow-origin', origin);
    response.setHeader('access-control-expose-headers', told);
    response.setHeader('vary', 'origin');
    if (method !== 'OPTIONS' || headers['access-control-request-method'] === undefined) return false;
    const asked = String(headers['access-control-request-headers'] ?? '')
      .toLowerCase()
      .split(',')
      .map((name) => name.trim());
    const fine = asked.filter((name) => ownHeaders.includes(name) || protocolHeader.test(name));
    response.setHeader('access-control-allow-methods', 'POST, GET');
    response.setHeader('access-control-allow-headers', fine.join(', '));
    response.setHeader('access-control-max-age', '600');
    response.writeHead(204).end();
    return true;
  };
}
