/**
 * A kind of thing that ids name. Somebody who approves a command that names, reads or changes it sees its row, by the name that people
 * use, and the approval holds only while the row stays as shown. Columns are included without being listed here.
 */
export interface Noun {
  /** In people's words: `customer or supplier`. */
  readonly noun: string;
  /** With its schema. It has `tenant_id`. */
  readonly table: string;
  readonly key: string;
  /** `text` for keys that are no UUIDs; those are looked for among the arguments only. */
  readonly keyType?: 'uuid' | 'text';
  /** Another column by which arguments may name it. */
  readonly code?: string;
  /** The command that it is shown of alone, where its key is another thing's: `tenant_id`, or the brand that it is of. */
  readonly changedBy?: string;
  /** SQL over its row `t`: what people call it. */
  readonly called: string;
  /** Rows of other tables that belong to it: by name, the table, its column that holds the key, and SQL to order by. */
  readonly parts?: Readonly<Record<string, { readonly table: string; readonly key: string; readonly order: string }>>;
  /** Further facts by name, or others in place of columns: SQL over `t` that answers text, a number or jsonb. */
  readonly also?: Readonly<Record<string, string>>;
  /**
   * Which facts are amounts in minor units, `lines.net` for those of parts, and the fact that names their currency, beside them or around
   * them; `amounts.*` for members that are named by it.
   */
  readonly money?: Readonly<Record<string, string>>;
  /** Whom money goes to is somebody new when one of its facts changes, but for these. */
  readonly incidental?: readonly string[];
}

/** One place that an approval does not bind, with the reason. */
export interface Unbound {
  /**
   * Of rows `schema.table.fact`, of previews `tool/member/member`; `*` is any table, tool, member or item. A fact of a part is
   * `schema.table.lines.fact`.
   */
  readonly at: string;
  /**
   * `as_of`: shown as of a moment. `given`: known only after the execution, so it is not shown before. `hidden`: no fact
   * for people, such as a secret or a search term.
   */
  readonly how: 'as_of' | 'given' | 'hidden';
  readonly why: string;
}
