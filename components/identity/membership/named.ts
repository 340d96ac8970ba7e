import { permit, roles } from '@steward/access';
import { type PrincipalRef } from '@steward/kernel';
import { sql, type TenantContext } from '@steward/sql';

const knowNames = permit('members.names', [...roles, 'platform']);

/**
 * The names of principals, by type and id (`user:alice`): of people who are members of the context's tenant, and of nobody else;
 * and of agents, the name of their client, where `clientName` knows one.
 */
export const principalNames =
  (clientName: (id: string) => Promise<string | undefined>) =>
  async (context: TenantContext, principals: readonly PrincipalRef[]): Promise<Map<string, string>> => {
    const ids = (type: PrincipalRef['type']): string[] => [
      ...new Set(principals.flatMap((one) => (one.type === type ? [one.id] : []))),
    ];
    const [people, agents] = [ids('user'), ids('agent')];
    const rows =
      people.length === 0
        ? []
        : await context.require(knowNames).read<{ id: string; name: string }>(sql`
            select p.id, p.display_name as name
            from identity.member m, lateral identity.people(array[m.principal_id]) p
            where m.principal_type = 'user' and m.principal_id = any (${people}::text[]) and p.display_name is not null`);
    const names = new Map(rows.map(({ id, name }) => [`user:${id}`, name]));
    for (const id of agents) {
      const name = await clientName(id);
      if (name !== undefined) names.set(`agent:${id}`, name);
    }
    return names;
  };
