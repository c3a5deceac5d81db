import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { seed } from '../../app/local/demo/book';
import { root } from '../../app/local/root';
import { startServer } from '../../app/local/server';
import { inFolder, say } from '../habits/tool';
import { launchChromium } from '../support/chromium';

/*
 * `npm run pictures`: makes the pictures of the README and of the first page from the demo data, on a Tuesday that
 * never ends. Run it after a change of what they show.
 */

const tuesday = Date.UTC(2026, 11, 1, 10, 10);
/** Runs before the Worker, whose clock then goes from that Tuesday. */
const clock = `const now = Date.now.bind(Date), began = now();
Date.now = () => now() - began + ${tuesday};
export * from './worker.js';
export { default } from './worker.js';`;

const atDesk = { width: 1280, height: 860 };
const onPhone = { width: 390, height: 780 };

const dataAddress = (picture: Buffer) => `data:image/png;base64,${picture.toString('base64')}`;

/** A screen as it is seen, at twice its pixels. */
async function pictureOf(
  browser: Browser,
  base: string,
  viewport: typeof atDesk,
  open: (page: Page) => Promise<unknown>,
) {
  const context = await browser.newContext({
    viewport,
    baseURL: base,
    locale: 'en-GB',
    timezoneId: 'Europe/Lisbon',
    deviceScaleFactor: 2,
    javaScriptEnabled: false,
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  await open(page);
  const picture = await page.screenshot();
  await context.close();
  return dataAddress(picture);
}

async function atProvidersDesk(page: Page) {
  await page.goto('/login');
  await page.getByLabel('Username').fill('atelier.sousa');
  await page.getByLabel('Password').fill('Sunflower-42');
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.goto('/');
}

/** Draws a picture smaller, as WebP, which no other program here can write. */
async function smaller(page: Page, address: string, width: number, quality: number): Promise<Buffer> {
  const drawn = await page.evaluate(
    async ({ address, width, quality }) => {
      const image = new Image();
      image.src = address;
      await image.decode();
      const canvas = document.createElement('canvas');
      canvas.width = width;
      canvas.height = Math.round((width * image.height) / image.width);
      const drawing = canvas.getContext('2d');
      if (!drawing) throw new Error('This browser can draw nothing.');
      drawing.imageSmoothingQuality = 'high';
      drawing.drawImage(image, 0, 0, canvas.width, canvas.height);
      return canvas.toDataURL('image/webp', quality);
    },
    { address, width, quality },
  );
  return Buffer.from(drawn.replace('data:image/webp;base64,', ''), 'base64');
}

/** What a reader of messages shows beside a shared link: the cover of the book, and a day in it. */
const cover = `<style>
  body { margin: 0; width: 1200px; height: 630px; box-sizing: border-box; padding: 0 110px; background: #1c2233; color: #fbf7ef;
    border-bottom: 18px solid #b4361e; display: flex; align-items: center; justify-content: space-between; font: 44px Roboto, sans-serif }
  h1 { margin: 0 0 16px; font: 600 128px "P052", "Palatino Linotype", serif }
  p { margin: 0; opacity: 0.85 }
  div { width: 300px; border-radius: 28px; overflow: hidden; background: #ffffff; color: #1f2430; text-align: center; padding-bottom: 20px }
  b { display: block; padding: 14px; background: #b4361e; color: #ffffff; letter-spacing: 4px }
  strong { display: block; font: 600 150px "P052", "Palatino Linotype", serif }
</style><main><h1>Daybook</h1><p>Book a time in three taps</p></main><div><b>DEC</b><strong>1</strong>Tue</div>`;

/** The desk, and the phone in front of it. */
const composed = (desk: string, phone: string) => `<style>
  body { margin: 0; padding: 40px; background: #fbf7ef; position: relative; width: 1200px; height: 780px; box-sizing: border-box }
  img { position: absolute; box-shadow: 0 0 0 1px #e4dccb, 0 16px 40px #1f243033 }
  .desk { left: 40px; top: 40px; width: 1030px; border-radius: 14px }
  .phone { right: 40px; bottom: 40px; width: 280px; border: 6px solid #1c2233; border-radius: 28px }
</style><img class="desk" src="${desk}"><img class="phone" src="${phone}">`;

await inFolder(async (dataDir) => {
  const server = await startServer({ dataDir, seed: false, before: clock, vars: { RATE_LIMIT: 'off' } });
  const browser = await launchChromium();
  try {
    await seed({ d1: server.d1, pepper: server.secrets.PASSWORD_PEPPER, now: tuesday });
    const desk = await pictureOf(browser, server.url, atDesk, atProvidersDesk);
    const phone = await pictureOf(browser, server.url, onPhone, (page) =>
      page.goto('/with/atelier.sousa').then(() => page.getByRole('link', { name: 'Haircut' }).click()),
    );
    const table = await browser.newPage({ viewport: { width: 1200, height: 780 }, deviceScaleFactor: 2 });
    await table.setContent(composed(desk, phone));
    const both = dataAddress(await table.screenshot());
    const shared = await browser.newPage({ viewport: { width: 1200, height: 630 } });
    await shared.setContent(cover);
    const picture = await shared.screenshot({ path: join(root, 'public/pictures/og.png') });
    say(`public/pictures/og.png: ${picture.byteLength} bytes`);
    const pictures: [file: string, address: string, width: number, quality: number][] = [
      ['desk.webp', desk, 960, 0.6],
      ['phone.webp', phone, 360, 0.6],
      ['daybook.webp', both, 1200, 0.8],
    ];
    for (const [file, address, width, quality] of pictures) {
      const picture = await smaller(table, address, width, quality);
      await writeFile(join(root, 'public/pictures', file), picture);
      say(`public/pictures/${file}: ${picture.byteLength} bytes`);
    }
  } finally {
    await browser.close();
    await server.stop();
  }
});
