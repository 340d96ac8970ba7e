/** What is wrong, in a word:
 * - `text` the event's text is not the one that was hashed; `canonical` it is no RFC 8785 text
 * - `chain` the row does not follow from the row before it; `order` its sequence or time goes backwards
 * - `gap` rows are missing; `tail` the end is missing; `head` the head does not match the last row
 * - `copy` a search column differs from the text; `tenant` the text names another tenant
 * - `idempotency` the table of keys differs from the events
 * - `genesis` an empty chain that does not begin at its genesis; `no_chain` a tenant without a chain
 */
export type FindingKind =
  | 'text'
  | 'canonical'
  | 'chain'
  | 'order'
  | 'gap'
  | 'tail'
  | 'head'
  | 'copy'
  | 'tenant'
  | 'idempotency'
  | 'genesis'
  | 'no_chain';

export interface Finding {
  readonly tenant: string;
  /** The first bad sequence; 0 where the chain as a whole is meant. */
  readonly sequence: number;
  /** The last of a run of bad sequences. */
  readonly through: number;
  readonly kind: FindingKind;
  readonly detail: string;
}

/** More than enough to see what happened; a destroyed log must not fill the memory. */
const most = 1_000;

/** Collects findings in order; neighbours of one kind become one run. */
export class Findings {
  readonly list: Finding[] = [];
  truncated = false;
  /** Where in the list the last finding of each kind stands, for the present tenant. */
  #runs = new Map<FindingKind, number>();
  #tenant = '';

  add(tenant: string, kind: FindingKind, sequence: bigint, detail: string, through = sequence): void {
    if (tenant !== this.#tenant) this.#runs.clear();
    this.#tenant = tenant;
    const place = this.#runs.get(kind);
    const run = place === undefined ? undefined : this.list[place];
    if (place !== undefined && run !== undefined && run.through + 1 === Number(sequence)) {
      this.list[place] = { ...run, through: Number(through) };
    } else if (this.list.length < most) {
      this.#runs.set(kind, this.list.length);
      this.list.push({ tenant, sequence: Number(sequence), through: Number(through), kind, detail });
    } else {
      this.truncated = true;
    }
  }

  /** Takes over what a later part of the log was found to hold. */
  join({ findings, truncated }: { readonly findings: readonly Finding[]; readonly truncated: boolean }): void {
    for (const { tenant, kind, sequence, detail, through } of findings)
      this.add(tenant, kind, BigInt(sequence), detail, BigInt(through));
    this.truncated ||= truncated;
  }
}
