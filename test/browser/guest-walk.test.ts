import { describe, expect, test } from 'vitest';
import { look, publish, type Row, registerProvider } from '../support/factories';
import { useServer } from '../support/use-server';
import { browsersAt, follow, pathOf, phone, press, see } from './browser';
import { dayOf, wire } from './calendar';
import { noScriptsFirst } from './ways';

/* From a shared link to a booking, which is moved and canceled on another device: without an account, on a phone. */

const served = useServer();
const { open } = browsersAt(served);

describe.each(noScriptsFirst)('with scripts %s, on a phone', (_, script) => {
  test('a stranger books in three screens and four taps, and moves and cancels by the link on another device', async () => {
    const provider = await registerProvider(served);
    const day = dayOf(1, 10);
    const slots = await publish(provider, { dates: [wire(day)], start: '09:00', end: '10:30' });
    const [first, second] = slots as [Row, Row];
    const shared = await open({ script, viewport: phone });
    await shared.goto(`/with/${provider.username}`);
    await shared.locator(`.slots a[href$="${first.id}"]`).click();
    await shared.getByLabel('Your name').fill('Zoë');
    await press(shared, 'Book');
    await see(shared, 'Booked for Zoë.');
    const shown = shared.locator('[data-link]');
    const link = (await shown.textContent()) ?? '';
    await shown.click();
    expect(await shared.evaluate(() => `${getSelection()}`.trim())).toBe(link);
    expect(link).toBe(`${served.url}${pathOf(shared)}`);
    const mail = await shared.getByRole('link', { name: 'Send it to myself by e-mail' }).getAttribute('href');
    const message = await shared.getByRole('link', { name: 'Send it as a text message' }).getAttribute('href');
    for (const [way, scheme] of [
      [mail, /^mailto:\?/],
      [message, /^sms:\?&body=/],
    ] as const) {
      expect(way).toMatch(scheme);
      expect(decodeURIComponent(way ?? '')).toContain(link);
    }
    expect(await shared.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);

    const other = await open({ script, viewport: phone });
    await other.goto(link);
    await follow(other, 'Change the time');
    await other.locator(`[formaction$="/${second.id}"]`).click();
    await see(other, 'It is moved. This is the new time.');
    expect((await look(provider, second)).json).toMatchObject({ status: 1, bookerName: 'Zoë' });
    expect((await look(provider, first)).json).toMatchObject({ status: 2 });
    expect(pathOf(other)).toContain(new URL(link).pathname);

    await other.goto(link);
    await follow(other, 'Cancel');
    await press(other, 'Yes, cancel it');
    await see(other, 'This appointment is canceled.');
    expect((await look(provider, second)).json).toMatchObject({ status: 2, canceledBy: 'consumer' });
    await shared.reload();
    await see(shared, 'This appointment is canceled.');
    // The way back to the times is a page for this reader, who sees at once that both are free again.
    await shared.goto(`/with/${provider.username}`);
    expect(await shared.locator('.slots a').count()).toBe(slots.length);
  });
});
