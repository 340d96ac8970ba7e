import { noTenant } from '@steward/access';
import { z } from 'zod';
import type { OwnPorts } from '../catalogue/ports.ts';
import { tool, type Tool } from '../catalogue/tool.ts';

export const platformStatus: Tool<OwnPorts> = tool({
  name: 'service_platform_status',
  title: 'Platform status',
  description:
    'Reads the version of the server and whether the services that it needs are reachable. For platform callers only.',
  pillar: 'portal',
  kind: 'bootstrap',
  tier: 'read',
  core: true,
  surfaces: ['internal'],
  input: z.object({}),
  output: z.object({
    version: z.string(),
    ready: z.boolean(),
    checks: z.array(z.object({ name: z.string(), ok: z.boolean() })),
  }),
  annotations: {},
  requires: noTenant,
  personas: [],
  run: async (_call, _args, { platformStatus: read, version }) => {
    const { ready, checks } = await read();
    const down = checks.filter(({ ok }) => !ok).map(({ name }) => name);
    const summary = ready ? `Steward ${version} is ready.` : `Steward ${version} is not ready: ${down.join(', ')}.`;
    return { summary, data: { version, ready, checks } };
  },
});
