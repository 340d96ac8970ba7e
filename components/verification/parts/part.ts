/** A share of the log: tenants from one to another, or a range of one tenant's sequences. Plain data, for threads. */
export type Part =
  | { readonly after: string | undefined; readonly through: string | undefined }
  | { readonly tenant: string; readonly from: number; readonly to: number | undefined };

const isId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** COPY takes no parameters. */
function literal(id: string): string {
  if (!isId.test(id)) throw new RangeError(`${JSON.stringify(id)} is no id of a tenant.`);
  return `'${id}'`;
}

/** The condition on `tenant_id`. */
export function tenantsOf(part: Part): string {
  if ('tenant' in part) return `tenant_id = ${literal(part.tenant)}`;
  const after = part.after === undefined ? 'true' : `tenant_id > ${literal(part.after)}`;
  return part.through === undefined ? after : `${after} and tenant_id <= ${literal(part.through)}`;
}

/** The condition on `sequence`; `before`: how many rows below the range are wanted too. */
export function sequencesOf(part: Part, before = 0): string {
  if (!('tenant' in part)) return 'true';
  const from = part.from <= 1 ? 'true' : `sequence >= ${part.from - before}`;
  return part.to === undefined ? from : `${from} and sequence < ${part.to}`;
}
