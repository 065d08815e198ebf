import Type from 'typebox';
import { Stamp } from '../http/schemas.ts';

/** Fields of categories, services and zones in the operator API. */

export const Flag = (description: string) => Type.Boolean({ description, examples: [true] });
export const Order = (description: string, example: number) =>
  Type.Integer({ minimum: -1_000_000, maximum: 1_000_000, description, examples: [example] });

export const stamps = { createdAt: Stamp(), updatedAt: Stamp() };
