import type { GraphBuilder } from '@steward/graphql';
import { objectOf } from '@steward/graphql/field';
import type { TenantContext } from '@steward/sql';
import { principalOf, searchName } from '../appending/entry.ts';
import type { NamesOf } from './names.ts';
import { principal } from './schema.ts';

/** Before the types that have principals. */
export function principalObject(builder: GraphBuilder, namesOf: NamesOf): void {
  const names = async (keys: readonly string[], { tenant }: { readonly tenant: TenantContext }) =>
    namesOf(keys.map(principalOf), tenant);
  objectOf(builder, 'AuditPrincipal', principal, {
    description: 'One link of a principal chain.',
    members: { principalType: { type: 'String', description: 'user, agent, service or system.' } },
    fields: (t) => ({
      displayName: t.string({
        nullable: true,
        description:
          'Name of the person, or of the client of an agent. The server looks it up when it answers; the log never stores ' +
          'names.',
        resolve: async (one, _args, context) => context.load(names, searchName(one)),
      }),
    }),
  });
}
