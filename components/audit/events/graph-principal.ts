import type { GraphBuilder } from '@steward/graphql';
import type { TenantContext } from '@steward/sql';
import { principalOf, searchName } from '../appending/entry.ts';
import type { Principal } from '../envelope/envelope.ts';
import type { NamesOf } from './names.ts';

export type PrincipalObject = ReturnType<typeof principalObject>;

export function principalObject(builder: GraphBuilder, namesOf: NamesOf) {
  const names = async (keys: readonly string[], { tenant }: { readonly tenant: TenantContext }) =>
    namesOf(keys.map(principalOf), tenant);
  return builder.objectRef<Principal>('AuditPrincipal').implement({
    description: 'One link of a principal chain.',
    fields: (t) => ({
      principalType: t.exposeString('principalType', { description: 'user, agent, service or system.' }),
      principalId: t.exposeString('principalId'),
      displayName: t.string({
        nullable: true,
        description:
          'Name of the person, or of the client of an agent. The server looks it up when it answers; the log never stores ' +
          'names.',
        resolve: async (principal, _args, context) => context.load(names, searchName(principal)),
      }),
    }),
  });
}
