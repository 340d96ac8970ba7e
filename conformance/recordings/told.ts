import { readFileSync } from 'node:fs';
import type { Heard } from './wire.ts';

/** What an answer says about being let in. */
export interface Told {
  readonly letIn: boolean;
  /** Of who is refused; of who is let in the status, or the code of what went wrong afterwards. */
  readonly code: string;
}

/** Codes with their status, by the reference. */
const statuses = new Map(
  [
    ...readFileSync(new URL('../../docs/reference/errors.md', import.meta.url), 'utf8').matchAll(
      /`(\w+)` \| (\d{3}) \|/g,
    ),
  ].map(([, code = '', status = '']) => [code, Number(status)]),
);
const ofTenant = new Set(['tenant_required', 'tenant_mismatch', 'unknown_tool']);
const refuses = (code: string, status = statuses.get(code)): boolean =>
  status === 401 || status === 403 || ofTenant.has(code) || code === 'pending_approval';

const parsed = (text: string): Readonly<Record<string, unknown>> => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
};
const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

function ofStatus({ status, text: body }: Heard): Told {
  const code = status < 400 ? String(status) : (text(parsed(body)['code']) ?? String(status));
  // Neither is an answer: a recording of it would hold the product to a fault, or to the load of a machine.
  if ((status >= 500 && code !== 'provider_not_configured') || status === 429)
    throw new Error(`${status}: ${body.slice(0, 500)}`);
  return { letIn: !refuses(code, status), code };
}

interface Result {
  readonly error?: { readonly code: number; readonly message: string };
  readonly result?: { readonly structuredContent?: { readonly status?: string; readonly error_code?: string } };
}

export const toldOf = {
  route: ofStatus,
  field: (heard: Heard): Told => {
    if (heard.status >= 400) return ofStatus(heard);
    const { errors } = parsed(heard.text) as { errors?: readonly { extensions?: { code?: string } }[] };
    if (errors === undefined) return { letIn: true, code: 'ok' };
    const code = errors[0]?.extensions?.code ?? 'none';
    return { letIn: !refuses(code), code };
  },
  tool: (heard: Heard): Told => {
    if (heard.status >= 400) return ofStatus(heard);
    const { error, result } = parsed(heard.text) as Result;
    if (error !== undefined) return { letIn: false, code: error.code === -32602 ? 'unseen' : String(error.code) };
    const { status = 'none', error_code } = result?.structuredContent ?? {};
    const code = status === 'error' ? String(error_code) : status;
    return { letIn: !refuses(code), code };
  },
} as const;
