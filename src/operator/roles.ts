import { isRead } from '../http/methods.ts';

/** Roles of operator tokens: each includes those before it. */
export const ROLES = ['viewer', 'dispatcher', 'admin'] as const;
export type Role = (typeof ROLES)[number];

/** Whether the role includes the required one. */
export function roleAllows(role: Role, least: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(least);
}

/** The role of a route that names none: every role reads, only an admin changes. */
export function defaultRole(methods: string | readonly string[]): Role {
  return [methods].flat().every((method) => isRead(method)) ? 'viewer' : 'admin';
}
