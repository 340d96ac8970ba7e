import assert from 'node:assert/strict';
import { test } from 'node:test';
import { permit, roles, type AccessProfile, type Viewer as Access } from '@steward/access';
import { z } from 'zod';
import type { Tool } from '../catalogue/tool.ts';
import type { View } from '../catalogue/view.ts';
import { visible } from './visible.ts';

type Viewer = Access & { readonly view: View };

const offered: Tool = {
  name: 'service_list_things',
  title: 'List things',
  description: 'Lists things.',
  pillar: 'accounting',
  area: 'books',
  kind: 'query',
  tier: 'read',
  core: true,
  surfaces: ['public'],
  input: z.object({}),
  output: z.object({}),
  annotations: {},
  requires: permit('things.read', roles, 'read'),
  personas: [],
  run: () => ({ summary: '' }),
};

const profile: AccessProfile = {
  role: 'viewer',
  persona: 'retail',
  entitlements: new Set(['read']),
  deniedTools: new Set(),
  policyVersion: 1,
  accessVersion: 0n,
  grant: undefined,
  validUntil: 0,
};

const viewer: Viewer = { surface: 'public', view: 'core', scopes: new Set(['mcp:read']), profile };

const seen = (tool: Partial<Tool>, by: Partial<Viewer> = {}, held: Partial<AccessProfile> = {}): boolean =>
  visible({ ...offered, ...tool }, { ...viewer, profile: { ...profile, ...held }, ...by });

const cases: readonly [why: string, expected: boolean, ...Parameters<typeof seen>][] = [
  ['a member sees what nothing hides', true, {}],
  ['another surface', false, {}, { surface: 'internal' }],
  ['both surfaces', true, { surfaces: ['public', 'internal'] }],
  ['not core, at the endpoint', false, { core: false }],
  ['not core, at its pillar', true, { core: false }, { view: 'accounting' }],
  ['core, at another pillar', false, {}, { view: 'crm' }],
  ['listed everywhere, at another pillar', true, { everywhere: true }, { view: 'crm' }],
  [
    'listed everywhere, with another pillar’s scope',
    true,
    { everywhere: true },
    { scopes: new Set(['mcp:read', 'mcp:crm']) },
  ],
  [
    'listed everywhere, without the scope of its tier',
    false,
    { everywhere: true },
    { scopes: new Set(['mcp:write', 'mcp:crm']) },
  ],
  [
    'listed everywhere, of a role that it does not name',
    false,
    { everywhere: true, requires: permit('things.read', ['owner'], 'read') },
  ],
  ['a bootstrap tool at the endpoint', true, { kind: 'bootstrap', core: false }],
  ['a bootstrap tool at another pillar, once a tenant is named', false, { kind: 'bootstrap' }, { view: 'crm' }],
  ['switched off by the tenant', false, {}, {}, { deniedTools: new Set(['service_list_things']) }],
  ['another switched off', true, {}, {}, { deniedTools: new Set(['service_list_other']) }],
  ['a role it does not name', false, { requires: permit('things.read', ['owner'], 'read') }],
  ['an entitlement the billing tier lacks', false, { requires: permit('things.write', roles) }],
  ['a persona it does not name', false, { personas: ['services'] }],
  ['a persona it names', true, { personas: ['services', 'retail'] }],
  ['no scope', false, {}, { scopes: new Set() }],
  ['scopes of others', false, {}, { scopes: new Set(['openid', 'mcp:internal', 'mcp:readonly']) }],
  ['only the write scope', false, {}, { scopes: new Set(['mcp:write']) }],
  ['a pillar scope alone', true, {}, { scopes: new Set(['mcp:accounting']) }],
  ['another pillar’s scope beside read', false, {}, { scopes: new Set(['mcp:read', 'mcp:crm']) }],
  ['two pillar scopes', true, {}, { scopes: new Set(['mcp:read', 'mcp:crm', 'mcp:accounting']) }],
  ['a write under the read scope', false, { tier: 'write', kind: 'command' }],
  ['a write under the write scope', true, { tier: 'write', kind: 'command' }, { scopes: new Set(['mcp:write']) }],
  [
    'an approval under the write scope',
    true,
    { tier: 'approval', kind: 'command' },
    { scopes: new Set(['mcp:write']) },
  ],
  ['a grant of nothing', false, {}, {}, { grant: { tools: [] } }],
  ['a grant of this tool', true, {}, {}, { grant: { tools: ['service_list_things'] } }],
  ['a grant of another pillar', false, {}, {}, { grant: { pillars: ['crm'] } }],
  ['a grant of another tier', false, {}, {}, { grant: { tiers: ['write'] } }],
  ['a grant of another kind', false, {}, {}, { grant: { kinds: ['command'] } }],
  ['a grant that fits in all', true, {}, {}, { grant: { pillars: ['accounting'], tiers: ['read'], kinds: ['query'] } }],
  [
    'a bootstrap tool under no scope, no grant, no role',
    true,
    { kind: 'bootstrap', requires: permit('nothing', [], 'decide') },
    { scopes: new Set() },
    { grant: { tools: [] } },
  ],
  ['the platform, on the public surface', false, {}, {}, { role: 'platform' }],
  [
    'the platform, inside',
    true,
    { surfaces: ['internal'] },
    { surface: 'internal', scopes: new Set() },
    { role: 'platform' },
  ],
  ['inside, whatever is core', true, { surfaces: ['internal'], core: false }, { surface: 'internal' }],
];

for (const [why, expected, ...given] of cases) {
  test(`${expected ? 'seen' : 'not seen'}: ${why}`, () => {
    assert.equal(seen(...given), expected);
  });
}

test('with no tenant named, bootstrap tools are seen at every address, and no others', () => {
  for (const view of ['core', 'crm'] as const) {
    assert.equal(visible({ ...offered, kind: 'bootstrap' }, { ...viewer, view, profile: undefined }), true);
    assert.equal(visible(offered, { ...viewer, view, profile: undefined }), false);
  }
});
