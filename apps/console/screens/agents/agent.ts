export const pillars = ['portal', 'accounting', 'commerce', 'studio', 'crm'] as const;
export const tiers = ['read', 'write', 'approval'] as const;

/** What an owner lets an agent do; null narrows nothing. */
export interface Grant {
  readonly agentId: string;
  readonly pillars: readonly string[] | null;
  readonly tiers: readonly string[] | null;
  readonly tools: readonly string[] | null;
  readonly status: 'granted' | 'revoked' | 'suspended';
  /** It ever came here: one that never did may be mistyped. */
  readonly seen: boolean;
  readonly grantedBy: string;
  readonly createdThrough: string | null;
  readonly grantedAt: string;
  readonly revokedAt: string | null;
}

export interface Counted {
  readonly items: readonly {
    readonly day: string;
    readonly agent: string | null;
    readonly events: number;
    readonly denied: number;
    readonly last_at: string;
  }[];
  readonly display_names?: Readonly<Record<string, string>>;
}

export interface Agent {
  readonly id: string;
  readonly name: string;
  readonly grant: Grant | undefined;
  readonly events: number;
  readonly denied: number;
  readonly lastAt: string | undefined;
}

/** Who acted lately, and who is granted or shut out without having done so; the latest first. */
export function agentsOf({ items, display_names: names = {} }: Counted, grants: readonly Grant[]): readonly Agent[] {
  const days = Map.groupBy(items, ({ agent }) => agent);
  const granted = new Map(grants.map((grant) => [grant.agentId, grant]));
  return [...new Set([...days.keys(), ...granted.keys()])]
    .filter((id) => id !== null)
    .map((id) => {
      const rows = days.get(id) ?? [];
      return {
        id,
        name: names[`agent:${id}`] ?? id,
        grant: granted.get(id),
        events: rows.reduce((sum, { events }) => sum + events, 0),
        denied: rows.reduce((sum, { denied }) => sum + denied, 0),
        lastAt: rows
          .map(({ last_at: at }) => at)
          .toSorted()
          .at(-1),
      };
    })
    .toSorted((a, b) => (b.lastAt ?? '').localeCompare(a.lastAt ?? '') || a.id.localeCompare(b.id));
}

/** So many days of UTC, today last, with what was counted on each. */
export function daysOf(
  { items }: Counted,
  count: number,
  agent?: string,
): readonly { day: string; events: number; denied: number }[] {
  const today = Date.now();
  return Array.from({ length: count }, (_, back) => {
    const day = new Date(today - (count - 1 - back) * 86_400_000).toISOString().slice(0, 10);
    const rows = items.filter(
      (one) => one.day === day && one.agent !== null && (agent === undefined || one.agent === agent),
    );
    return {
      day,
      events: rows.reduce((sum, { events }) => sum + events, 0),
      denied: rows.reduce((sum, { denied }) => sum + denied, 0),
    };
  });
}
