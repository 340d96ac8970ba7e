import type { Permission } from './permission.ts';

export const pillars = ['portal', 'accounting', 'commerce', 'studio', 'crm'] as const;
export type Pillar = (typeof pillars)[number];

/** Parts of a pillar with addresses of their own, for pillars whose tools would outgrow a list (contracts §4). */
export const areas = {
  portal: [],
  accounting: ['books', 'sales', 'bank', 'reports'],
  commerce: ['catalogue', 'selling', 'fulfilment', 'connections'],
  studio: [],
  crm: [],
} as const satisfies Readonly<Record<Pillar, readonly string[]>>;
export type Area = (typeof areas)[Pillar][number];

/** `bootstrap` is callable with no tenant. */
export type Kind = 'bootstrap' | 'query' | 'command';

export const tiers = ['read', 'write', 'approval'] as const;

/**
 * `read`: no side effect. `write`: at once and reversible. `approval`: only once a person has approved. What may await
 * approval is rehearsed several times and then carried out in one transaction, so everything it does goes through the
 * context of its call.
 */
export type Tier = (typeof tiers)[number];

export type Surface = 'public' | 'internal';

/** As much of what can be done as decides who may do it: every tool is one, and so is what no tool does, which has no name. */
export interface Operation {
  /** `service_<verb>_<noun>`; empty for what no tool does. */
  readonly name: string;
  readonly pillar: Pillar;
  /** Of a pillar that has areas: which one it is of. */
  readonly area?: Area;
  readonly kind: Kind;
  readonly tier: Tier;
  /** Admitted by every pillar's scope and grant: what follows from using any tool. */
  readonly everywhere?: boolean;
  readonly surfaces: readonly Surface[];
  /** The permission that the verb requires too. */
  readonly requires: Permission;
  /** Empty: every persona. */
  readonly personas: readonly string[];
}
