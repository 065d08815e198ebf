import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withoutChromium } from './browser.ts';
import { inspect, LANGUAGES, openTab, startConsole } from './console-browser.ts';
import { drag } from './console-drag.ts';
import { createWorld, WORLD_DATE } from './fixtures.ts';
import { until } from './until.ts';

/** A visit goes where a customer holds the slot: named before the drop, in the refusal, and in the plan of a delay. */

const WORDS = {
  en: { take: 'Take the slot', late: /^Late/, move: /^Move/, held: /held until .*Home Deals/ },
  ar: { take: 'خذ الوقت', late: /^تأخير/, move: /^نقل/, held: /محجوز مؤقتًا حتى .*Home Deals/ },
};

for (const language of LANGUAGES)
  test(`a held slot gives way to a visit by name, in ${language}`, { skip: withoutChromium }, async (t) => {
    const console = await startConsole(t);
    const { service } = console;
    const world = await createWorld(service, { teams: 1, partner: { name: 'Home Deals' } as never });
    const [team] = world.teamIds as [string];
    const booked = (await world.book({ timeslot: { startAt: '14:00', endAt: '16:00' } })).body.data;
    const visitOf = async () =>
      (await service.operator('GET', `/appointments/${booked.appointmentId}`)).body.data.timeslot.startAt;
    const hold = async (startAt: string, endAt: string) => {
      const { addressId } = (await world.contact()).body.data;
      const slot = { addressId, serviceId: world.serviceId, date: WORLD_DATE, timeslot: { startAt, endAt } };
      const held = await service.v1(world.key, 'POST', '/partners/holds', slot);
      assert.equal(held.status, 200, held.text);
      return async () =>
        (await service.v1(world.key, 'GET', `/partners/holds/${held.body.data.holdId}`)).body.data.status;
    };
    const statusOfFirst = await hold('10:00', '12:00');
    const tab = await openTab(console, language);
    const { page, open } = tab;
    const words = WORDS[language];
    await open(`/board?date=${WORLD_DATE}`);
    await drag(page, page.locator(`#visit-${booked.appointmentId}`), team, -180);
    await page.locator('.verdict').getByText(words.held).waitFor();
    await page.mouse.up();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(words.held).waitFor();
    await inspect({ ...tab, faults: [] }, `displacing-${language}`);
    assert.deepEqual([await visitOf(), await statusOfFirst()], ['14:00', 'HELD']);
    await dialog.getByRole('button', { name: words.take }).click();
    await until(async () => (await visitOf()) === '11:30');
    assert.equal(await statusOfFirst(), 'RELEASED');

    const statusOfSecond = await hold('14:00', '16:00');
    await page.locator(`.lane[data-team="${team}"]`).getByRole('button', { name: words.late }).click();
    await dialog.getByText(words.held).waitFor();
    await inspect({ ...tab, faults: [] }, `displacing-late-${language}`);
    await dialog.getByRole('button', { name: words.move }).click();
    await until(async () => (await visitOf()) === '12:00');
    assert.equal(await statusOfSecond(), 'RELEASED');
  });
