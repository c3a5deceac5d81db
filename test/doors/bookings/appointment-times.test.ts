import { expect, test } from 'vitest';
import { dateWords } from '../../../app/domain/time/clock';
import { book, dayAhead, localDate, peopleAt, publish, publishOne, type Row } from '../../support/factories';
import { words } from '../../support/forms';
import { createMeetup, linkOf, reply } from '../../support/party-factories';
import { useServer } from '../../support/use-server';
import { useWorld } from '../../support/world';

/* Wherever a time is read, its zone is, and the reader's own time where their clocks show another. */

const daybook = useServer();
const { newProvider, newConsumer } = peopleAt(daybook);
const { ana, maya } = useWorld(daybook, {
  ana: { timeZone: 'Asia/Colombo', location: 'Kandy' },
  maya: { timeZone: 'Asia/Tokyo' },
});

/** From nine to half past in Colombo is from half past twelve to one in Tokyo. */
const nine = (days: number) => ({ start: '09:00', end: '09:30', dates: [dayAhead(days, 'Asia/Colombo')] });
const span = /09:00 to 09:30 · 30 minutes · Colombo time ?12:30 to 13:00 for you/;

test('what has just been booked is confirmed in both', async () => {
  const slot = await publishOne(ana, nine(2));
  const page = await (await maya.browser.visit(`/details/${slot.id}`)).submit('Book this appointment');
  const day = dateWords(localDate(slot)).full;
  expect(words(page.$('main [role=status] h2')?.text)).toBe(
    `Booked: ${ana.displayName}, ${day}, 09:00 Colombo time, 12:30 for you`,
  );
});

test('the next free time of a city’s list is in both', async () => {
  const page = await maya.browser.visit('/view?location=Kandy');
  expect(page.words).toContain('Nothing free at the moment');
  await publishOne(ana, nine(3));
  expect((await maya.browser.visit('/view?location=Kandy')).words).toMatch(
    /Next free: \w+ \d+ \w+( \d{4})?, 09:00 Colombo time, 12:30 for you/,
  );
});

test('what somebody has at that time already is in both, and so are the times that are free instead', async () => {
  const [other, june] = await Promise.all([newProvider({ timeZone: 'Asia/Colombo' }), newConsumer()]);
  const [mine, theirs] = await Promise.all([publishOne(ana, nine(4)), publish(other, { ...nine(4), end: '10:00' })]);
  await book(maya, mine);
  const [first, second] = theirs as [Row, Row];
  const page = await maya.browser.visit(`/details/${first.id}`);
  expect(page.$$('main [role=status] li').map(({ text }) => words(text))).toEqual([expect.stringMatching(span)]);
  await book(june, second);
  expect((await maya.browser.get(`/details/${second.id}`)).words).toMatch(span);
});

test('open slots that were published in another zone are in both for their provider', async () => {
  const provider = await newProvider({ timeZone: 'Asia/Colombo' });
  await publishOne(provider, nine(5));
  expect((await provider.browser.visit('/view-open')).words).not.toContain('for you');
  const moved = { intent: 'profile', displayName: provider.displayName, location: 'Tokyo', timeZone: 'Asia/Tokyo' };
  expect((await provider.browser.post('/profile', moved)).status).toBe(303);
  const page = await provider.browser.visit('/view-open');
  const label = page.$$('main label').find((one) => one.querySelector('[name=id]'));
  expect(words(label?.text)).toMatch(/09:00 to 09:30 ?12:30 to 13:00 for you/);
  expect(page.words).toContain('Colombo time');
  expect(page.$(`main a[href*="#for-someone"]`)?.text).toContain('09:00 Colombo time');
});

test('when a name of a meetup has answered is said with its zone', async () => {
  const meetup = await createMeetup(ana);
  await reply(daybook.visitor(), linkOf(meetup, 'Ada'));
  const page = await ana.browser.visit(`/manage-meetup/${meetup.id}`);
  expect(page.$$('tbody small').map(({ text }) => words(text))).toEqual([
    expect.stringMatching(/^\w{3} \d+ \w{3}, \d\d:\d\d Colombo time$/),
  ]);
});
