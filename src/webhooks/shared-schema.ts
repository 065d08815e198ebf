import Type from 'typebox';
import { Nullable, Text, Uuid } from '../http/schemas.ts';
import { MAX_KEPT, MAX_LOCATION } from './rules.ts';

export const Whole = (description: string, example: number) =>
  Type.Integer({ minimum: 0, maximum: 1_000_000_000, description, examples: [example] });
export const StatusCode = (description: string, example: number) =>
  Nullable(Type.Integer({ minimum: 100, maximum: 999, description, examples: [example] }));
export const Failure = (description: string, example = 'STATUS_NOT_2XX') =>
  Nullable(Text(description, example, 100));
export const Location = () =>
  Type.Optional(
    Type.String({
      format: 'text',
      maxLength: MAX_LOCATION,
      description: 'Of a redirect: where it leads (`Location`). Redirects are not followed',
      examples: ['https://hooks.example.sa/moved'],
    }),
  );

export const ResponseBody = (example: string) =>
  Text('The first 1,024 bytes at most, phones, coordinates and credentials masked', example, MAX_KEPT);

/** Further fields of the operator's interface. */
export const PartnerFields = {
  partnerId: Uuid('The partner it belongs to'),
  partnerName: Text('Its name', 'Home Deals'),
};
