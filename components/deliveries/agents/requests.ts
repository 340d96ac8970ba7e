/** An agent that is told, and where. */
export interface ToldAgent {
  readonly tenant: string;
  readonly agentId: string;
  readonly brandId: string;
  readonly url: string;
}

/** What whoever knows shopping agents does for requests to them. */
export interface AgentRequests {
  /** @throws NotSent for good where the agent may not be told any more */
  requireTold(agent: ToldAgent): Promise<void>;
  /**
   * The headers that prove a request to an agent, made as it is sent.
   * @throws NotSent: for good where the agent may not be told any more
   */
  headersOf(
    agent: ToldAgent,
    message: { readonly eventId: string; readonly body: string; readonly occurredAt: Date | null },
  ): Promise<Readonly<Record<string, string>>>;
}
