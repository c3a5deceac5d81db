import { describe, expect, test } from 'vitest';
import { agenda } from '../../support/appointment-calls';
import { book, dayAhead, peopleAt, publish, publishOne, type Row } from '../../support/factories';
import { newGuest } from '../../support/guests';
import { createParty, goingTo, rsvp, rsvpsIn } from '../../support/party-factories';
import { useServer, useWorld } from '../../support/use-server';
import type { Page } from '../../support/visit';
import { add as wait, wishesOf } from '../../support/waitlist';

/* What a letter shows moves from its guest to the account of whoever is logged in. */

const daybook = useServer();
const { newConsumer, newProvider } = peopleAt(daybook);
const { ana } = useWorld(daybook, { ana: {} });

const keep = 'Keep this in my account';
const kept = 'It is in your account now. This link still opens it.';
const refusedWords = 'This is in another account already.';

let days = 1;
/** The path of the letter of a time that a guest of some other browser has booked. */
async function bookedLetter(host = ana): Promise<string> {
  const { provider, id } = await publishOne(host, { dates: [dayAhead(++days)] });
  const { path } = await (await daybook.visitor().get(`/with/${provider}/${id}`)).submit('Book', {
    displayName: 'Zoë',
  });
  return path.split('?')[0] ?? '';
}
const nameOn = (page: Page) => /Booked for ([^.]+)\./.exec(page.words)?.[1];

describe('a booking', () => {
  test('is kept by an account in one press, on any device', async () => {
    const [june, letter] = [await newConsumer(), await bookedLetter()];

    const done = await (await june.browser.get(letter)).submit(keep);

    expect(done.words).toContain(kept);
    expect(nameOn(done)).toBe(june.displayName);
    expect(await agenda(june)).toHaveLength(1);
  });

  test('is opened by the same link afterwards', async () => {
    const [june, letter] = [await newConsumer(), await bookedLetter()];
    await (await june.browser.get(letter)).submit(keep);

    expect((await daybook.visitor().get(letter)).status).toBe(200);
  });

  test('is its new owner’s on the page of the provider', async () => {
    const [june, host] = [await newConsumer(), await newProvider()];
    await (await june.browser.get(await bookedLetter(host))).submit(keep);

    expect((await agenda(host)).map(({ username }) => username)).toEqual([june.username]);
  });

  test('stays where it is for a second account', async () => {
    const [june, otto, letter] = [await newConsumer(), await newConsumer(), await bookedLetter()];
    const shown = await otto.browser.get(letter);
    await (await june.browser.get(letter)).submit(keep);

    const late = await shown.submit(keep);

    expect(late.status).toBe(409);
    expect(late.words).toContain(refusedWords);
    expect(await agenda(june)).toHaveLength(1);
    expect((await otto.browser.get(letter)).words).not.toContain(keep);
  });

  test('takes nothing else of its guest along', async () => {
    const [june, guest, host] = [await newConsumer(), await newGuest(daybook), await newProvider()];
    const slots = (await publish(host, { end: '10:00' })) as [Row, Row];
    const { link } = (await book(guest, slots[0])).json as Row;
    await book(guest, slots[1]);

    await (await june.browser.get(link ?? '')).submit(keep);

    expect(await agenda(june)).toHaveLength(1);
    expect(await agenda(guest)).toHaveLength(1);
  });

  test('leads whoever is not logged in to a login that comes back', async () => {
    const letter = await bookedLetter();
    const page = await daybook.visitor().get(letter);

    const target = `to=${encodeURIComponent(letter)}`;
    const links = page.$$('a').map((link) => link.getAttribute('href'));
    expect(links).toContain(`/login?${target}`);
    expect(links).toContain(`/register?${target}`);
    expect((await daybook.visitor().post(letter, { intent: 'keep' })).location).toBe(`/login?${target}`);
  });

  test('is not kept by a provider', async () => {
    const letter = await bookedLetter();

    expect((await ana.browser.get(letter)).words).not.toContain(keep);
    expect((await ana.browser.post(letter, { intent: 'keep' })).status).toBe(409);
  });
});

describe('an answer to a party', () => {
  const openTo = { openTo: 'anyone', plusOnes: 3 };

  test('is kept by an account', async () => {
    const [june, party] = [await newConsumer(), await createParty(ana, openTo)];
    const { link = '' } = (await rsvp(await newGuest(daybook), party)).json as { link?: string };

    const done = await (await june.browser.get(link)).submit(keep);

    expect(done.path).toBe(`/party/${party.id}`);
    expect(await rsvpsIn(ana, party)).toEqual([[june.username, true]]);
  });

  test.each(['account', 'guest'])('stays where it is the later one: the %s answered last', async (last) => {
    const [june, guest, party] = [await newConsumer(), await newGuest(daybook), await createParty(ana, openTo)];
    const [first, second] = last === 'guest' ? [june, guest] : [guest, june];
    const one = await rsvp(first, party, { guests: 1 });
    const two = await rsvp(second, party, { guests: 2 });
    const { link = '' } = (last === 'guest' ? two : one).json as { link?: string };

    await (await june.browser.get(link)).submit(keep);

    expect(await rsvpsIn(ana, party)).toEqual([[june.username, true]]);
    expect(await goingTo(ana, party)).toBe(3);
  });
});

test('a place in line is kept by an account', async () => {
  const [june, guest] = [await newConsumer(), await newGuest(daybook, { email: 'gus@mail.test' })];
  await wait(guest, ana, { from: dayAhead(80), to: dayAhead(80) });
  const [wish] = await wishesOf(guest);

  const done = await (await june.browser.get(wish?.link ?? '')).submit(keep);

  expect(done.words).toContain(kept);
  expect(await wishesOf(june)).toHaveLength(1);
});
