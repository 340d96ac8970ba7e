import { parseArgs } from 'node:util';
import { verifyChains, type Verdict, type VerifyOptions } from '@steward/audit';
import { allTenants } from '@steward/portal';
import { withHouse } from '../house.ts';
import type { CommandEnvironment } from '../instance.ts';

/** `audit verify`: exit 0 when every chain is whole, 1 with the findings. */
export async function verifyCommand(args: string[], env: CommandEnvironment): Promise<number> {
  const { values } = parseArgs({ args, options: { tenant: { type: 'string' }, json: { type: 'boolean' } } });
  const began = performance.now();
  const onProgress = ({ tenants, events }: { readonly tenants: number; readonly events: number }): void => {
    const rate = Math.round(events / ((performance.now() - began) / 1000));
    if (events > 0 && process.stderr.isTTY) process.stderr.write(`\r${tenants} tenants, ${events} events, ${rate}/s `);
  };
  const verdict = await verify(env, { tenant: values.tenant, onProgress });
  if (process.stderr.isTTY) process.stderr.write('\r\u001b[K');
  if (values.json === true) {
    console.log(JSON.stringify(verdict, null, 2));
  } else {
    for (const { tenant, sequence, kind, detail } of verdict.findings) {
      console.log(`tenant ${tenant}, sequence ${sequence}: ${kind}: ${detail}`);
    }
    if (verdict.truncated) console.log('There is more than is listed.');
    console.log(verdict.summary);
  }
  return verdict.ok ? 0 : 1;
}

export interface Verification extends Verdict {
  /** One sentence for people. */
  readonly summary: string;
}

interface Wish {
  readonly tenant?: string | undefined;
  readonly onProgress?: VerifyOptions['onProgress'] & {};
}

/** Verifies the chains of an instance, running or not. @throws ConfigError when its database cannot be found */
export async function verify(env: CommandEnvironment, { tenant, ...options }: Wish): Promise<Verification> {
  return withHouse(env, async (house) => {
    const ownerUrl = house.ownerUrl();
    const expected = tenant === undefined ? await allTenants(ownerUrl) : [tenant];
    const verdict = await verifyChains({ ownerUrl, expected, ...options, ...(tenant === undefined ? {} : { tenant }) });
    return { ...verdict, summary: summarize(verdict) };
  });
}

function summarize({ ok, tenants, events, findings }: Verdict): string {
  const seen = `${events} events of ${tenants} tenant${tenants === 1 ? '' : 's'}`;
  return ok ? `Verified: ${seen}, every chain whole.` : `NOT VERIFIED: ${findings.length} findings in ${seen}.`;
}
