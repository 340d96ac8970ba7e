/** A JSON Schema 2020-12 document. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** What payloads of some event types must look like, for one major version of the event's contract. */
export interface EventGrammar {
  /** A type, or a pattern over its dotted parts: `*` is one part, a last `**` one or more. */
  readonly types: string;
  readonly major: number;
  readonly schema: JsonSchema;
  /** Whether outside producers may record it too; events of our own verbs are reserved otherwise. */
  readonly open?: boolean;
}

/** What a component contributes to the registry; contributions of one name are merged. */
export interface Grammar {
  /** As events name it: `accounting`, `commerce`, … */
  readonly name: string;
  readonly events?: readonly EventGrammar[];
  /** Patterns of types that only our own verbs may record, with a schema of their own or without. */
  readonly reserved?: readonly string[];
}
