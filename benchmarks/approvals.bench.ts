import { createProcessWorld, type Json, type ProcessWorld } from '@steward/conformance/world';
import { type Bench, median, type Row, sized } from './report.ts';

const rounds = sized(300);
const warmUp = sized(60);

/** The person's decision until it is carried out, over REST of the whole server on an idle machine. */
export default {
  name: 'Approvals: from the decision to its effect',
  run: async () => {
    await using world = await createProcessWorld();
    const { tenant, token } = await world.signUp('bench@example.com', 'Bench');
    const approver = await world.token({ user: 'bench@example.com', approver: true });
    const { portal, mcp } = world.server.addresses;
    const policy = await world.call(`${portal}/api/approval-policy`, { token: approver, tenant });
    const gated = { service_update_organization: { tier: 'approval' } };
    const put = await world.call(`${portal}/api/approval-policy`, {
      token: approver,
      tenant,
      method: 'PUT',
      body: { ...policy.body, tools: gated },
    });
    if (put.status !== 200) throw new Error(`policy: ${put.status} ${JSON.stringify(put.body)}`);

    const asked: number[] = [];
    const decided: number[] = [];
    for (let round = -warmUp; round < rounds; round += 1) {
      const [request, action] = await timed(async () => ask(world, mcp, { token, tenant, round }));
      const { previewHash } = (await world.call(`${portal}/api/pending-actions/${action}`, { token: approver, tenant }))
        .body;
      const [decision, answer] = await timed(async () =>
        world.call(`${portal}/api/pending-actions/${action}/approve`, {
          token: approver,
          tenant,
          body: { previewHash },
        }),
      );
      if (String(answer.body['state']) !== 'executed') throw new Error(JSON.stringify(answer.body));
      if (round >= 0) {
        asked.push(request);
        decided.push(decision);
      }
    }
    const figures = (times: readonly number[]): string =>
      `median ${median(times).toFixed(1)} ms, at worst ${Math.max(...times).toFixed(1)} ms, of ${times.length}`;
    return [
      {
        name: 'approve, carried out and answered, p99 in ms',
        ratio: percentile(decided, 0.99),
        bar: { atMost: 20 },
        detail: figures(decided),
      },
      {
        name: 'asked for, previewed and stored, p99 in ms',
        ratio: percentile(asked, 0.99),
        detail: figures(asked),
      },
    ] satisfies Row[];
  },
} satisfies Bench;

async function ask(
  world: ProcessWorld,
  mcp: string,
  { token, tenant, round }: { token: string; tenant: string; round: number },
): Promise<string> {
  const name = 'service_update_organization';
  const params = { name, arguments: { name: `Bench ${round}` } };
  const { body } = await world.call(mcp, {
    token,
    tenant,
    body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params },
  });
  const result: Json | undefined = body['result']?.['structuredContent'];
  if (String(result?.['status']) !== 'pending_approval') throw new Error(JSON.stringify(body));
  return String(result?.['pending_action_id']);
}

async function timed<T>(work: () => Promise<T>): Promise<[milliseconds: number, value: T]> {
  const began = performance.now();
  const value = await work();
  return [performance.now() - began, value];
}

const percentile = (times: readonly number[], part: number): number =>
  times.toSorted((a, b) => a - b)[Math.ceil(times.length * part) - 1] ?? Number.NaN;
