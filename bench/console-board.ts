import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Page } from 'playwright-core';
import { script, startProcess } from './processes.ts';

/**
 * Measures the console's board in the browser: `node bench/console-board.ts`. 100 teams with 600 appointments, rendered
 * ten times, then dragged across all rows in Chromium. The board is drawn before its first visit begins, and when half of its
 * visits are late or over. Its responses are mocked, so that only the page is measured.
 */

const TEAMS = 100;
const VISITS = 6;
const DRAWN = 10;
const DRAG_MOVES = 240;
const DATE = '2026-11-23';
/** Times of the page: no visit is late; half are late or over. */
const EARLY = `${DATE}T06:00:00+03:00`;
const LATE = `${DATE}T14:30:00+03:00`;
const TOKEN = 'token-of-the-bench-of-the-console';

const id = (kind: number, number: number): string =>
  `00000000-0000-4000-8000-${String(kind).padStart(4, '0')}${String(number).padStart(8, '0')}`;
const at = (minutes: number): string =>
  new Date(Date.parse(`${DATE}T00:00:00+03:00`) + minutes * 60_000).toISOString();
const time = (minutes: number): string =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;

const teams = Array.from({ length: TEAMS }, (_, index) => ({
  id: id(1, index),
  name: `Team ${index + 1}`,
  isActive: true,
  homeZoneId: id(2, index % 8),
  zoneIds: [id(2, index % 8)],
  serviceIds: [id(3, 0)],
  travelBufferMinutes: 30,
  shifts: [{ startsAt: at(480), endsAt: at(1_200) }],
  timeOff:
    index % 10 === 0 ? [{ id: id(4, index), startsAt: at(480), endsAt: at(540), reason: 'Training' }] : [],
  version: 1,
}));
const appointments = teams.flatMap((team, index) =>
  Array.from({ length: VISITS }, (_, nth) => {
    const start = 540 + nth * 110;
    const number = index * VISITS + nth;
    return {
      id: id(5, number),
      version: 1,
      name: `SA-${number}`,
      status: ['Scheduled', 'Confirmed', 'In Progress', 'Completed'][nth % 4],
      isAssigned: true,
      teamId: team.id,
      zoneId: team.zoneIds[0],
      startsAt: at(start),
      endsAt: at(start + 60),
      busyUntil: at(start + 90),
      problem: number % 50 === 0 ? 'OFF_SHIFT' : null,
      booking: {
        id: id(6, number),
        version: 1,
        status: 'in progress',
        paymentStatus: nth % 2 === 0 ? 'PENDING' : 'PAID',
        paymentResponsibility: 'PLATFORM',
        amount: 150,
        notes: null,
      },
      partner: { id: id(7, 0), name: 'Home Deals' },
      service: { id: id(3, 0), nameEn: 'Deep cleaning', nameAr: 'تنظيف عميق' },
      contact: { id: id(8, number), name: 'Noura Al-Qahtani', phone: '+966501234567' },
      address: {
        id: id(9, number),
        streetName: 'Olaya Street',
        districtName: 'Al Olaya',
        cityName: 'Riyadh',
        latitude: '24.7',
        longitude: '46.7',
      },
    };
  }),
);
const board = {
  date: DATE,
  from: at(0),
  until: at(1_440),
  zones: Array.from({ length: 8 }, (_, index) => ({
    id: id(2, index),
    name: `Zone ${index + 1}`,
    isActive: true,
    slotGridMinutes: 30,
    version: 1,
  })),
  teams,
  appointments,
};
const holds = teams
  .filter((_, index) => index % 10 === 0)
  .map((team, index) => ({
    holdId: id(10, index),
    teamId: team.id,
    teamName: team.name,
    date: DATE,
    timeslot: { startAt: '19:40', endAt: '20:00', endsAtNextDay: false },
    expiresAt: at(1_439),
    contactName: 'Noura Al-Qahtani',
    serviceName: 'Deep cleaning',
    partnerName: 'Home Deals',
    price: 150,
  }));
const me = {
  role: 'dispatcher',
  name: 'Bench',
  actor: 'operator:bench',
  session: null,
  deployment: 'sandbox',
  timeZone: 'Asia/Riyadh',
};
const starts = Array.from({ length: 24 }, (_, index) => 480 + index * 30);
const placements = {
  appointmentId: id(5, 0),
  version: 1,
  date: DATE,
  isMovable: true,
  zone: { id: id(2, 0), name: 'Zone 1' },
  starts: starts.map((start) => ({ startAt: time(start), endAt: time(start + 60), problem: null })),
  teams: teams.map((team, index) => ({
    id: team.id,
    name: team.name,
    reason: null,
    rank: index + 1,
    keepsTeam: index === 0,
    usedMinutes: 540,
    best: { startAt: '08:00', endAt: '09:00', keepsTime: false, detourKm: 1.5 },
    slots: starts.map((start, nth) => ({
      startAt: time(start),
      free: (nth + index) % 3 === 0,
      reason: (nth + index) % 3 === 0 ? null : 'BUSY',
      appointment: null,
      detourKm: (nth + index) % 3 === 0 ? 1.5 : null,
    })),
  })),
};

async function answer(page: Page, path: RegExp, data: unknown): Promise<void> {
  const meta = { total: Array.isArray(data) ? data.length : 1, page: 1, limit: 100, totalPages: 1 };
  await page.route(path, (route) => route.fulfill({ json: { success: true, data, meta } }));
}

const COSTS = ['TaskDuration', 'ScriptDuration', 'RecalcStyleDuration', 'LayoutDuration'] as const;
type Costs = Record<(typeof COSTS)[number], number>;

/** Milliseconds of the page's main thread so far, by category. */
async function cpuOf(page: Page): Promise<() => Promise<Costs>> {
  const session = await page.context().newCDPSession(page);
  // The thread's own clock: load of other processes does not count.
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  return async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    const spentOn = (wanted: string) => metrics.find(({ name }) => name === wanted)!.value * 1_000;
    return Object.fromEntries(COSTS.map((name) => [name, spentOn(name)])) as Costs;
  };
}

const DRAWN_TWICE = 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))';

const quantile = (values: number[], part: number): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length * part)]!;

const column = (costs: number[][], part: number): number[] => costs.map((cost) => cost[part]!);

const folder = mkdtempSync(join(tmpdir(), 'console-board-'));
const service = await startProcess(script('../src/main.ts'), '/dev/null', {
  SEED: 'none',
  DATA_DIR: folder,
  OPERATOR_TOKEN: TOKEN,
  LOG_LEVEL: 'error',
});
const browser = await chromium.launch({
  executablePath: process.env.TEST_CHROMIUM ?? '/usr/bin/chromium-headless-shell',
  args: ['--headless', '--no-sandbox', '--disable-gpu'],
});
try {
  for (const language of process.argv.slice(2).length > 0 ? process.argv.slice(2) : ['en', 'ar']) {
    const context = await browser.newContext({
      viewport: { width: 1280, height: 900 },
      locale: language === 'ar' ? 'ar-SA' : 'en-US',
    });
    const base = `http://127.0.0.1:${service.port}`;
    // Its cookie is the context's.
    const session = await context.request.post(`${base}/operator/sessions`, { data: { token: TOKEN } });
    const { data } = (await session.json()) as { data: { id: string } };
    await context.addInitScript(`localStorage.setItem('console.session', ${JSON.stringify(data.id)})`);
    const openBoard = async (now: string) => {
      const page = await context.newPage();
      await answer(page, /\/operator\/board\?/, board);
      await answer(page, /\/placements\?/, placements);
      await answer(page, /\/operator\/holds\?/, holds);
      await answer(page, /\/operator\/me$/, { ...me, now });
      const cpu = await cpuOf(page);
      const begun = await cpu();
      await page.goto(`${base}/console/board?date=${DATE}`);
      await page.locator(`#visit-${id(5, TEAMS * VISITS - 1)}`).waitFor();
      if (now === LATE) await page.locator(`#visit-${id(5, 0)}.is-late`).waitFor();
      await page.locator('.held-slot').first().waitFor({ state: 'attached' });
      await page.evaluate(DRAWN_TWICE);
      const spent = await cpu();
      // The page may have moved to another process, whose counters start at zero.
      const from = spent.TaskDuration > begun.TaskDuration ? begun : null;
      const costs = COSTS.map((name) => spent[name] - (from?.[name] ?? 0));
      return { page, cpu, costs };
    };
    const draw = async (now: string): Promise<string> => {
      const drawn: number[][] = [];
      for (let round = 0; round < DRAWN; round++) {
        const opened = await openBoard(now);
        drawn.push(opened.costs);
        await opened.page.close();
      }
      drawn.sort(([one], [other]) => one! - other!);
      const [task, ...parts] = drawn[0]!.map((cost) => cost.toFixed(0));
      const median = quantile(column(drawn, 0), 0.5).toFixed(0);
      return `${task} ms of CPU (best of ${DRAWN}; script, style, layout: ${parts.join(', ')}; median ${median})`;
    };
    const early = await draw(EARLY);
    const late = await draw(LATE);
    const { page, cpu } = await openBoard(LATE);
    const visit = (await page.locator(`#visit-${id(5, 0)}`).boundingBox())!;
    const scroller = (await page.locator('.board-scroll').boundingBox())!;
    await page.mouse.move(visit.x + 20, visit.y + 20);
    await page.mouse.down();
    await page.mouse.move(visit.x + 40, visit.y + 30, { steps: 4 });
    await page.locator('.verdict[data-is="free"]').first().waitFor();
    const scrollTop = scroller.y + 60;
    const costsOf = async (act: () => Promise<unknown>): Promise<number[]> => {
      const before = await cpu();
      await act();
      await page.evaluate(DRAWN_TWICE);
      const after = await cpu();
      return COSTS.map((name) => after[name] - before[name]);
    };
    const moves: number[][] = [];
    const idle: number[][] = [];
    for (let move = 0; move < DRAG_MOVES; move++) {
      const part = move / DRAG_MOVES;
      const to = [
        scroller.x + scroller.width * (0.3 + 0.5 * Math.abs(Math.sin(part * 12))),
        scrollTop + (scroller.height - 120) * part,
      ] as const;
      moves.push(await costsOf(() => page.mouse.move(...to)));
      // The cost of two idle frames, and of the measurement.
      if (move % 10 === 0) idle.push(await costsOf(async () => {}));
    }
    await page.keyboard.press('Escape');
    const [move, ...moveParts] = COSTS.map((_name, part) => quantile(column(moves, part), 0.5).toFixed(1));
    console.log(
      `${language}: page and board drawn in ${late}, without late visits ${early}; a move of the drag takes ${move} ms ` +
        `(${moveParts.join(', ')}), 95 % at most ${quantile(column(moves, 0), 0.95).toFixed(1)}, of which ` +
        `${quantile(column(idle, 0), 0.5).toFixed(1)} are the measuring`,
    );
    await context.close();
  }
} finally {
  await browser.close();
  await service.stop();
  rmSync(folder, { recursive: true });
}
