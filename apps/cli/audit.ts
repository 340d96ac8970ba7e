import { parseArgs } from 'node:util';
import type { CommandEnvironment } from './instance.ts';
import { UsageError } from './usage.ts';
import { verify } from './verify.ts';

/** `audit verify`: exit 0 when every chain is whole, 1 with the findings. */
export async function auditCommand([action, ...args]: string[], env: CommandEnvironment): Promise<number> {
  if (action !== 'verify') throw new UsageError('There is `audit verify`.');
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
