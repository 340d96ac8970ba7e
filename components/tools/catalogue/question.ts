/** What a client may declare that a server can ask of it in the middle of a call (MCP 2026-07-28, MRTR). */
export type ClientCapability = 'elicitation' | 'elicitation.url' | 'sampling' | 'roots';

export interface InputRequest {
  readonly method: 'elicitation/create' | 'sampling/createMessage' | 'roots/list';
  readonly params: Readonly<Record<string, unknown>>;
}

/** A tool's answer that it needs more first; the client asks its user or model and calls again. */
export interface Question {
  readonly ask: Readonly<Record<string, InputRequest>>;
  /** JSON handed back with the next call as `call.remembered`. Signed and bound to this call, readable by the client. */
  readonly remember?: unknown;
}

const capabilities = {
  'elicitation/create': 'elicitation',
  'sampling/createMessage': 'sampling',
  'roots/list': 'roots',
} as const satisfies Record<InputRequest['method'], ClientCapability>;

/** The capabilities a client must have declared to be asked this. */
export const neededFor = (question: Question): ClientCapability[] => [
  ...new Set(Object.values(question.ask).map(({ method }) => capabilities[method])),
];
