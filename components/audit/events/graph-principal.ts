import type { GraphBuilder } from '@steward/graphql';
import type { TenantContext } from '@steward/sql';
import type { Principal } from '../envelope/envelope.ts';

export type DisplayNames = (ids: readonly string[], context: TenantContext) => Promise<ReadonlyMap<string, string>>;

export type PrincipalObject = ReturnType<typeof principalObject>;

export function principalObject(builder: GraphBuilder, displayNames: DisplayNames) {
  const names = async (ids: readonly string[], { tenant }: { readonly tenant: TenantContext }) =>
    displayNames(ids, tenant);
  return builder.objectRef<Principal>('AuditPrincipal').implement({
    description: 'One link of a principal chain.',
    fields: (t) => ({
      principalType: t.exposeString('principalType', { description: 'user, agent, service or system.' }),
      principalId: t.exposeString('principalId'),
      displayName: t.string({
        nullable: true,
        description: 'Looked up on reading; names are never stored in the log.',
        resolve: async ({ principalType, principalId }, _args, context) =>
          principalType === 'user' ? context.load(names, principalId) : undefined,
      }),
    }),
  });
}
