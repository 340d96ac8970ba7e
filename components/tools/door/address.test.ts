import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tenantA } from '../fixtures/callers.ts';
import { addressing, pathOf, type Place } from './address.ts';

const urlOf = (place: Place | undefined): string | undefined =>
  place?.kind === 'endpoint' ? place.address.url : place?.kind;

test('an endpoint may be at a path or at the root of a host of its own', () => {
  for (const base of ['https://mcp.example.com', 'https://example.com/mcp', 'https://example.com/a/b']) {
    const prefix = new URL(base).pathname.replace(/\/$/, '');
    const locate = addressing(base, base);
    assert.equal(urlOf(locate(prefix)), base);
    assert.equal(urlOf(locate(`${prefix}/`)), base);
    assert.equal(urlOf(locate(`${prefix}/t/${tenantA}`)), `${base}/t/${tenantA}`);
    assert.equal(urlOf(locate(`${prefix}/t/${tenantA}/p/crm/`)), `${base}/t/${tenantA}/p/crm`);
    assert.equal(urlOf(locate(`${prefix}/manifest`)), 'manifest');
    assert.equal(urlOf(locate(`${prefix}/p/crm/manifest`)), 'manifest');
    assert.equal(urlOf(locate(`${prefix}/sse`)), 'retired');
    assert.equal(urlOf(locate(`${prefix}/messages/x`)), 'retired');
    for (const none of [
      '/x',
      '/t',
      '/t/x',
      '/p/x',
      '//',
      '/manifest/x',
      `/t/${tenantA.toUpperCase()}`,
      '/p/crm/t/x',
      '/manifestx',
    ]) {
      assert.equal(locate(prefix + none), undefined, prefix + none);
    }
  }
});

test('metadata of an address is at the path-suffixed well-known address of its host', () => {
  const at = (base: string, path: string): string | undefined => {
    const place = addressing(base, base)(path);
    return place?.kind === 'endpoint' ? place.address.metadataUrl : undefined;
  };
  const wellKnown = '/.well-known/oauth-protected-resource';
  assert.equal(at('https://mcp.example.com', '/'), `https://mcp.example.com${wellKnown}`);
  assert.equal(at('https://example.com/mcp', '/mcp'), `https://example.com${wellKnown}/mcp`);
  assert.equal(at('https://example.com/mcp', '/mcp/p/crm'), `https://example.com${wellKnown}/mcp/p/crm`);
});

test('a query is no part of the path', () => {
  assert.equal(pathOf('/mcp?x=/t/1'), '/mcp');
  assert.equal(pathOf('/mcp'), '/mcp');
});
