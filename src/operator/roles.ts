/** What operator tokens may do: each role also what those before it may. */
export const ROLES = ['viewer', 'dispatcher', 'admin'] as const;
export type Role = (typeof ROLES)[number];

/** May the role call what asks for at least the other one? */
export function mayAct(role: Role, least: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(least);
}

/** The least role of a route that names none: anybody reads, only an admin changes. */
export function defaultRole(methods: string | readonly string[]): Role {
  return [methods].flat().every((method) => method === 'GET') ? 'viewer' : 'admin';
}
