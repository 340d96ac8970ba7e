import { areas, pillars } from '@steward/access';

/** Where tools are listed beneath the tool endpoint: each tool but the bootstrap and core ones is found at one of them at least. */
export const toolPaths: readonly string[] = pillars.flatMap((pillar) => [
  pillar,
  ...areas[pillar].map((area) => `${pillar}/${area}`),
]);
