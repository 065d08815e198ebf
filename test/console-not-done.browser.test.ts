import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { TEXTS } from '../console/texts.ts';
import { withoutChromium } from './browser.ts';
import { inspect, LANGUAGES, openTab, SIDEWAYS, startConsole, violations } from './console-browser.ts';
import { data, reasonOf, withPolicy } from './fee-fixtures.ts';
import { createWorld } from './fixtures.ts';
import { becomes, linkOf, use } from './payment-flows.ts';
import { until } from './until.ts';

const skip = withoutChromium;

const WORDS = {
  en: {
    other: 'Other plans',
    absent: /Fee .*120\.00.* refund .*30\.00/,
    crew: /Fee .*0\.00.* refund .*150\.00/,
  },
  ar: {
    other: 'خطط أخرى',
    absent: /الرسم .*120\.00.*المعاد .*30\.00/,
    crew: /الرسم .*0\.00.*المعاد .*150\.00/,
  },
} as const;

const UNKNOWN = { en: /120\.00.* at most, and none after 7 days/, ar: /120\.00.* كحد أقصى/ } as const;
const KEPT = {
  en: /Kept: .*120\.00.*Going back: .*30\.00/,
  ar: /المحتفظ به: .*120\.00.*المعاد: .*30\.00/,
} as const;
const GIVEN_BACK = {
  en: /Given back: .*20\.00.*Kept: .*100\.00/,
  ar: /رُدّ: .*20\.00.*المحتفظ به: .*100\.00/,
} as const;
const NOTHING = { en: /^Recorded\. .*Kept: .*0\.00/, ar: /^سُجّل\. .*المحتفظ به: .*0\.00/ } as const;

test('one dialog after a visit that could not be done: its answers, their amounts, no wrong way', {
  skip,
}, async (t) => {
  const console = await startConsole(t);
  const { service } = console;
  const world = await createWorld(service, { teams: 8, partner: { paymentResponsibility: 'PLATFORM' } });
  await withPolicy({ service, world });
  await reasonOf({ service });
  const detail = async (id: string) => data(await service.operator('GET', `/bookings/${id}`));
  /** A paid booking whose team is under way, or whose visit could not be done for an unknown reason. */
  async function paid(isOver: boolean): Promise<string> {
    const { bookingId, appointmentId } = data(await world.book());
    await use({ service, world }, await linkOf({ service, world }, bookingId), 'paid');
    await becomes({ service, world }, bookingId, ['in progress', 'PAID']);
    for (const status of ['In The Way', ...(isOver ? ['Cannot Complete'] : [])])
      data(await service.operator('PATCH', `/appointments/${appointmentId}`, { status }));
    return bookingId;
  }
  const looksRight = async (page: Page, what: string): Promise<void> => {
    assert.equal(await page.evaluate(SIDEWAYS), false, `${what} scrolls sideways`);
    assert.deepEqual(await violations(page), [], what);
  };

  for (const language of LANGUAGES) {
    for (const width of [1280, 390]) {
      await t.test(`in ${language}, ${width} wide`, async () => {
        const text = (key: keyof typeof TEXTS): string => TEXTS[key][language];
        const words = WORDS[language];
        const tab = await openTab(console, language, { width });
        const { page, open } = tab;
        const dialog = page.getByRole('dialog');
        const answer = (key: 'revisit' | 'end' | 'later') =>
          dialog.getByRole('radio', { name: new RegExp(`^${text(`decide.${key}`)}`) });
        const button = (key: keyof typeof TEXTS) =>
          dialog.getByRole('button', { name: text(key), exact: true });

        /** Opens the booking after its refund, which is a change of it too. */
        async function openSettled(id: string): Promise<void> {
          await until(async () => (await detail(id)).payment.refund.status === 'DONE');
          await open(`/bookings/${id}`);
        }

        // The step asks why; the decision follows at once, with what the reason costs.
        const ended = await paid(false);
        await open(`/bookings/${ended}`);
        await page.getByRole('button', { name: text('step.others') }).click();
        await page.getByRole('button', { name: text('step.cannotComplete') }).click();
        await dialog.getByLabel(text('field.reason')).selectOption('CUSTOMER_ABSENT');
        await button('step.cannotSubmit').click();
        await answer('later').waitFor();
        assert.equal(await answer('later').isChecked(), true);
        await dialog.getByText(words.absent).waitFor();
        await looksRight(page, `answers in ${language}, ${width} wide`);
        await answer('end').check();
        const outcome = dialog.getByLabel(text('decide.outcome'));
        await outcome.selectOption('CREW');
        await dialog.getByText(words.crew).waitFor();
        await outcome.selectOption('CUSTOMER_ABSENT');
        await dialog.getByText(words.absent).waitFor();
        await dialog.getByLabel(new RegExp(`^${text('field.reason')}`)).selectOption({ label: words.other });
        await looksRight(page, `ending in ${language}, ${width} wide`);
        const sent = page.waitForRequest((request) => request.url().endsWith('/close'));
        await button('decide.end').click();
        assert.equal((await sent).postDataJSON().maxFee, 120);
        await page.getByText(KEPT[language]).waitFor();
        const { cancellation, payment } = await detail(ended);
        assert.deepEqual([cancellation.kept, payment.refund.amount], [120, 30]);

        // A reason that turned out to be another one, and what is given back.
        await openSettled(ended);
        await page.getByRole('button', { name: text('fee.waive') }).click();
        await dialog.getByLabel(new RegExp(`^${text('payment.amount').replace(/[().]/g, '.')}`)).fill('20');
        await dialog.getByLabel(new RegExp(`^${text('field.reason')}`)).fill('A gesture');
        await looksRight(page, `giving back in ${language}, ${width} wide`);
        await button('fee.waiveSubmit').click();
        await page.getByText(GIVEN_BACK[language]).waitFor();
        await page.getByText('A gesture').first().waitFor();
        await openSettled(ended);
        await page.getByRole('button', { name: text('fee.correct') }).click();
        await outcome.selectOption('CREW');
        await dialog.getByLabel(new RegExp(`^${text('fee.howKnown')}`)).fill('The team says so');
        await dialog.locator('p[role=status]', { hasText: /0\.00.*100\.00/ }).waitFor();
        await button('fee.outcomeSubmit').click();
        await page.getByText(NOTHING[language]).waitFor();
        assert.equal((await detail(ended)).cancellation.kept, 0);
        if (width === 1280) await inspect(tab, `booking-fees-${language}`);

        // Another visit, at the times and teams of moving; what would waive the fee is not beside the decision.
        const visited = await paid(true);
        await open(`/bookings/${visited}`);
        const next = page.getByRole('button', { name: text('decide.next') });
        await next.waitFor();
        for (const key of ['booking.cancel', 'booking.fail', 'new.again'] as const)
          assert.equal(await page.getByText(text(key), { exact: true }).count(), 0, key);
        await next.click();
        await dialog.getByText(UNKNOWN[language]).waitFor();
        await answer('revisit').check();
        await dialog.locator('.place').first().waitFor();
        assert.equal(await dialog.locator('input[type=time]').count(), 0);
        await looksRight(page, `another visit in ${language}, ${width} wide`);
        if (width === 1280) await inspect(tab, `decision-revisit-${language}`);
        await dialog.locator('.place button').first().click();
        await page.getByText(text('decide.revisited')).waitFor();
        const { appointment, cancellation: none } = await detail(visited);
        assert.deepEqual([appointment.status, none], ['Scheduled', null]);

        // Later is no answer: the booking stays as it is.
        const open_ = await paid(true);
        await open(`/bookings/${open_}`);
        await next.click();
        await button('decide.later').click();
        await dialog.waitFor({ state: 'detached' });
        assert.equal((await detail(open_)).status, 'in progress');
      });
    }
  }
});
