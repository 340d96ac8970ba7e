/** Protocols by which shopping agents buy. */
export const protocols = ['ucp', 'acp'] as const;
export type Protocol = (typeof protocols)[number];

export const modes = ['test', 'live'] as const;
export type Mode = (typeof modes)[number];

/** What a brand thinks of an agent: seen, one of those that a brand may keep to, or one that is served no more. */
export const standings = ['known', 'trusted', 'shut_out'] as const;
export type Standing = (typeof standings)[number];

/** What the last request of an agent proved: `signed` by a key of its profile, `bearer` by one that the brand issued, or nothing; `unseen`: none came yet. */
export const verdicts = ['signed', 'bearer', 'unsigned', 'unseen'] as const;

/** What became of a claim of a host; `lapsed`: another brand proved since that it is its own. */
export const hostStandings = ['claimed', 'verified', 'lapsed', 'released'] as const;

/** Days for which a key that was rotated is published, and so verifies. */
export const overlapDays = 7;
