import assert from 'node:assert/strict';
import { test } from 'node:test';
import en from '../console/crew/texts/en.json' with { type: 'json' };
import { launchChromium, withoutChromium } from './browser.ts';
import { keepsPage, linkTo, networkTo, own, telephone, visitToday } from './crew-browser.ts';
import { startTestService } from './harness.ts';
import { otherSources, startPages } from './page-builds.ts';
import { until } from './until.ts';

/** The crew's page while two builds run behind one address, and after a deployment. */

const skip = withoutChromium;
const ofOther = 'Planned by another build';
const isPage = (path: string): boolean => path === '/crew';
const isApi = (path: string): boolean => path.startsWith('/crew/api/');

test('two builds behind one address: the page opens, in both orders, also without a network', {
  skip,
}, async (t) => {
  const service = await startTestService(t);
  const browser = await launchChromium(t);
  const { teamId } = await visitToday(service);
  const from = `"is.Scheduled": "${en['is.Scheduled']}"`;
  const folder = otherSources(
    t,
    'console/crew/texts/en.json',
    from,
    from.replace(en['is.Scheduled'], ofOther),
  );
  const other = await startPages(t, service.deps, folder, {
    base: '/crew',
    entry: 'console/crew.tsx',
    worker: 'console/crew-worker.ts',
    browsers: 'old',
  });
  const network = await networkTo(t, service);
  let [pages, turns] = [0, 0];
  /** Whether the other build answers. */
  const ways: Record<string, (path: string) => boolean> = {
    'the page of the other build, files of this one': isPage,
    'the page of this build, files of the other one': (path) => !isPage(path),
    'a deployment after the page was loaded': (path) => (isPage(path) ? pages++ > 0 : pages > 1),
    'a deployment is taken back after the page was loaded': (path) =>
      isPage(path) ? pages++ === 0 : pages < 2,
    'in turn': () => turns++ % 2 === 0,
    'in turn, from the second on': () => turns++ % 2 === 1,
  };
  for (const [way, isOther] of Object.entries(ways)) {
    [pages, turns] = [0, 0];
    network.mode = 'open';
    network.upstream = (url, path) => (isApi(path) ? url : isOther(path) ? other : url);
    const { page, faults } = await telephone(browser);
    const link = (await linkTo(service, teamId)).replace(service.url, network.url);
    await page.goto(link);
    const isShown = () => page.getByText(en['is.Scheduled']).first().waitFor();
    await isShown();
    await keepsPage(page);
    // Once more, so that the next build is kept and shown.
    await page.reload();
    await isShown();
    for (const mode of ['cut', 'broken', 'hung'] as const) {
      network.mode = mode;
      await page.goto('about:blank');
      await page.goto(`${network.url}/crew`);
      await isShown();
    }
    assert.deepEqual(own(faults), [], way);
    await page.context().close();
  }
});

test('the build that runs in the page is kept, also when the network is gone after it', {
  skip,
}, async (t) => {
  const service = await startTestService(t);
  const browser = await launchChromium(t);
  const { teamId } = await visitToday(service);
  const network = await networkTo(t, service);
  let pages = 0;
  // Nothing listens there.
  network.upstream = (url, path) => (isPage(path) && pages++ > 0 ? 'http://127.0.0.1:9' : url);
  const { page } = await telephone(browser);
  await page.goto((await linkTo(service, teamId)).replace(service.url, network.url));
  await page.getByText(en['is.Scheduled']).waitFor();
  await keepsPage(page);
  await until(() => pages > 1);
  network.mode = 'cut';
  await page.reload();
  await page.getByText(en['is.Scheduled']).waitFor();
});
