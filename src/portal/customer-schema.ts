import Type from 'typebox';

export const ContactsQuery = Type.Object({
  phone: Type.Optional(
    Type.String({
      format: 'spelledPhone',
      description: "The customer's phone, in any spelling; without it nobody is listed",
      examples: ['050 123 4567'],
    }),
  ),
});
