import { capabilitiesOf, type Capability, type CapabilityName, type Version } from './versions.ts';

/** Capabilities as profiles list them: by name, each in one version or several. */
export type Offered = Readonly<Record<string, unknown>>;

const versionsIn = (entries: unknown): unknown[] =>
  (Array.isArray(entries) ? entries : [entries]).map((entry: unknown) =>
    typeof entry === 'object' && entry !== null && 'version' in entry ? entry.version : undefined,
  );

/**
 * What both sides can: by name and exact version, without extensions of what is not among it, repeatedly. A release of ours has each capability in its
 * own version alone.
 */
export function negotiate(offered: Offered, version: Version): ReadonlySet<CapabilityName> {
  let active = capabilitiesOf(version).filter(
    ({ name }) => Object.hasOwn(offered, name) && versionsIn(offered[name]).includes(version),
  );
  for (;;) {
    const there = new Set(active.map(({ name }) => name));
    const kept = active.filter(({ extends: parents }) => parents.length === 0 || parents.some((one) => there.has(one)));
    if (kept.length === active.length) return there;
    active = kept;
  }
}

export const everything = (version: Version): ReadonlySet<CapabilityName> =>
  new Set(capabilitiesOf(version).map(({ name }) => name));

/** Of what is active, what an answer about a capability says: itself and what extends it. */
export const relevant = (
  active: ReadonlySet<CapabilityName>,
  to: CapabilityName,
  version: Version,
): readonly Capability[] =>
  capabilitiesOf(version).filter(
    ({ name, extends: parents }) => active.has(name) && (name === to || parents.includes(to)),
  );
