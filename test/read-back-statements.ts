import { createWorld } from './fixtures.ts';
import { made } from './openapi-context.ts';
import type { Any } from './read-back.ts';
import { operator, type Table } from './read-back-context.ts';
import { drafted, openAccount, PARTY, SETTINGS } from './statement-fixtures.ts';

/** Requests of the operator about statements, and the reads that show what they said (test/read-back.test.ts). */

const ADDRESSES = [
  PARTY.address,
  {
    buildingNumber: '1234',
    street: 'Olaya Street',
    district: 'Al Malaz',
    city: 'Jeddah',
    postalCode: '21577',
    additionalNumber: '3122',
  },
  { ...PARTY.address, additionalNumber: '4455' },
];
const PARTIES = [
  PARTY,
  {
    legalNameEn: 'Jeddah Homes',
    legalNameAr: 'بيوت جدة',
    vatNumber: '399999999999993',
    registrationNumber: '4030123456',
    address: ADDRESSES[1]!,
  },
  { ...PARTY, vatNumber: null, registrationNumber: null, address: ADDRESSES[2]! },
];

export const STATEMENT_WRITES: Table = {
  async *saveStatementSettings(c) {
    const rates = [
      [{ from: '2020-07-01', percent: 15 }],
      [
        { from: '2020-07-01', percent: 15 },
        { from: '2027-01-01', percent: 12.5 },
      ],
    ];
    const categories = [{ VISIT: 'S', FEE: 'O' }, { VISIT: 'E', FEE: 'S' }, SETTINGS.vatCategories];
    for (const [index, seller] of PARTIES.entries())
      yield {
        path: '/statement-settings',
        body: { seller, vatRates: rates[index % 2]!, vatCategories: categories[index]! },
        read: async () => ({ data: await operator(c, '/statement-settings') }),
      };
  },
  async *saveStatementAccount(c) {
    const path = `/partners/${c.world.partnerId}/statement-account`;
    for (const [index, buyer] of PARTIES.entries())
      yield {
        path,
        body: { buyer, openedOn: `2026-10-0${index + 1}` },
        read: async () => ({ data: await operator(c, path) }),
      };
  },
  async *createStatement(c) {
    for (const month of ['2026-10', '2026-11']) {
      const world = await createWorld(c.service);
      await openAccount(c.service, world, '2026-10-01');
      yield {
        path: '/statements',
        body: { partnerId: world.partnerId, month },
        read: async ({ id }) => ({ data: await operator(c, `/statements/${id}`) }),
      };
    }
  },
  async *markStatementPaid(c) {
    const id = await drafted(c.service, await createWorld(c.service));
    await made(c.service.operator('POST', `/statements/${id}/issue`));
    for (const body of [
      { reference: 'SARIE 1', paidOn: '2026-11-20' },
      { reference: 'SARIE 2', paidOn: '2026-11-21' },
      { reference: null },
    ])
      yield {
        path: `/statements/${id}/paid`,
        body,
        read: async () => {
          const data: Any = await operator(c, `/statements/${id}`);
          return { data, shown: { reference: null, ...data.paid } };
        },
      };
  },
};
