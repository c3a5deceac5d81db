import { describe, expect, test } from 'vitest';
import { dayAhead, isoAhead, several } from '../../support/factories';
import { confirmAddress, countMails, mailTo, newAddress } from '../../support/mails';
import * as meetups from '../../support/meetup-calls';
import { edit, hosted, remove } from '../../support/party-calls';
import {
  createMeetup,
  createParty,
  full,
  linkOf,
  type Party,
  publishQuestions,
  reply,
  rsvp,
  rsvpsIn,
} from '../../support/party-factories';
import { deleteTemplate, one } from '../../support/template-factories';
import { useServer, useWorld } from '../../support/use-server';
import type { Page } from '../../support/visit';

/* Parties and meetups that their host makes again: for one new date, or for each week until a day. */

const daybook = useServer();
const { host, rival, maya } = useWorld(daybook, { host: {}, rival: {}, maya: {} });

let titles = 0;
/** A title by which the copies of a party are found. */
const newTitle = () => `Weekly ${++titles}`;

const copiesOf = async ({ id, title }: Party, list = hosted) =>
  (await list(host)).filter((one) => one.title === title && one.id !== id);

/** The page that shows each week's day until one, of a party or meetup. */
async function preview({ id, meetupId }: Pick<Party, 'id' | 'meetupId'>, until: string) {
  const page = await host.browser.visit(meetupId === null ? `/view-party/${id}` : `/manage-meetup/${id}`);
  return (await page.click('Every week until …')).submit('Show the days', { until });
}
const daysOn = (page: Page, which = '') => page.$$(`input[name=dates]${which}`).map((box) => box.getAttribute('value'));

describe('a copy of a party for a new date', () => {
  const answered = { question: 'How are you?', answer: 'Well' };
  /** A party with all fields and an RSVP. */
  async function fullParty() {
    const template = await publishQuestions(host, one());
    const details = { ...full, locationUrl: 'https://map.example/1', hideGoing: true, openTo: 'anyone' };
    const source = await createParty(host, { ...details, title: newTitle(), template });
    await rsvp(maya, source, {}, [answered]);
    return { source, template };
  }
  const openForm = async ({ id }: Party) =>
    (await host.browser.visit(`/view-party/${id}`)).click('Copy for a new date');

  test('has all of the party but its days and its answers', async () => {
    const { source } = await fullParty();

    await (await openForm(source)).submit('Create party', { date: isoAhead(20) });

    const at = (time: string) => `${isoAhead(20)}T${time}:00.000Z`;
    const times = { date: dayAhead(20), startsAt: at('18:00'), endsAt: at('22:00') };
    expect(await copiesOf(source)).toEqual([{ ...source, ...times, id: expect.not.stringMatching(source.id) }]);
  });

  test('asks for its days', async () => {
    const form = await openForm((await fullParty()).source);

    expect(form.$('input[name=date]')?.getAttribute('value') ?? '').toBe('');
    expect(form.$('input[name=rsvpBy]')?.getAttribute('value') ?? '').toBe('');
  });

  test('is one if it is sent twice', async () => {
    const { source } = await fullParty();
    const form = await openForm(source);

    const first = await form.submit('Create party', { date: isoAhead(20) });
    const second = await form.submit('Create party', { date: isoAhead(20) });

    expect(second.path).toBe(first.path);
    expect(await copiesOf(source)).toHaveLength(1);
  });

  test('is made by nobody else', async () => {
    const { source } = await fullParty();

    expect((await rival.browser.get(`/create-party?copy=${source.id}`)).status).toBe(404);
  });

  test('says that its questions are gone', async () => {
    const { source, template } = await fullParty();

    await deleteTemplate(host, template);

    const { words } = await host.browser.get(`/create-party?copy=${source.id}`);
    expect(words).toContain('Its questions were edited or deleted since');
  });
});

describe('a party every week until a day', () => {
  const weekly = () => createParty(host, { ...full, title: newTitle() });

  test('is shown day by day, and not made yet', async () => {
    const source = await weekly();

    const page = await preview(source, isoAhead(35));

    expect(daysOn(page)).toEqual([14, 21, 28, 35].map(isoAhead));
    expect(await copiesOf(source)).toEqual([]);
  });

  test('is made for the days that stay ticked', async () => {
    const source = await weekly();
    const page = await preview(source, isoAhead(35));

    await page.submit('Make the copies', { dates: [isoAhead(14), isoAhead(35)] });

    expect((await copiesOf(source)).map(({ date }) => date)).toEqual([dayAhead(14), dayAhead(35)]);
  });

  test('has all of the party but its days and its answers', async () => {
    const source = await weekly();
    await rsvp(maya, source);

    await (await preview(source, isoAhead(21))).submit('Make the copies');

    const copies = await copiesOf(source);
    expect(copies).toHaveLength(2);
    for (const copy of copies) {
      const { id, date, startsAt, endsAt } = copy;
      expect(copy).toEqual({ ...source, id, date, startsAt, endsAt });
    }
  });

  test('can be answered', async () => {
    const source = await weekly();

    await (await preview(source, isoAhead(14))).submit('Make the copies');

    const [copy] = (await copiesOf(source)) as [Party];
    expect((await rsvp(maya, copy, { guests: 3 })).status).toBe(200);
  });

  test('is ticked the next time for the days alone that have no copy', async () => {
    const source = await weekly();
    const page = await preview(source, isoAhead(35));

    await page.submit('Make the copies', { dates: [isoAhead(14), isoAhead(35)] });

    expect(daysOn(await preview(source, isoAhead(35)), '[checked]')).toEqual([21, 28].map(isoAhead));
  });

  test('is none until a day before the first', async () => {
    expect((await preview(await weekly(), isoAhead(8))).words).toContain('choose that day or a later one.');
  });

  test.each<[string, dates: string[]]>([
    ['no day', []],
    ['another weekday', [isoAhead(15)]],
    ['the day of the party itself', [isoAhead(7)]],
    ['no date', ['tomorrow']],
    ['a day twice', [isoAhead(14), isoAhead(14)]],
  ])('is refused for %s', async (_, dates) => {
    const source = await weekly();
    const { path } = await preview(source, isoAhead(35));

    expect((await host.browser.post(path, { sequence: '0', once: 'wrong', dates })).status).toBe(400);
    expect(await copiesOf(source)).toEqual([]);
  });

  test('is refused where the party was changed meanwhile', async () => {
    const source = await weekly();
    const page = await preview(source, isoAhead(35));

    await edit(host, source, { startTime: '17:00' });

    const late = await page.submit('Make the copies');
    expect(late.status).toBe(409);
    expect(late.words).toContain('Please look at it again.');
    expect(await copiesOf(source)).toEqual([]);
  });

  const sendTo = (path: string, who = host) =>
    who.browser.post(path, { dates: [isoAhead(14)], sequence: '0', once: 'at once' });

  test('is made once, if it is sent five times at once', async () => {
    const source = await weekly();
    const { path } = await preview(source, isoAhead(28));

    const responses = await several(5, () => sendTo(path));

    expect(responses.map(({ status }) => status)).toEqual(Array(5).fill(303));
    expect(await copiesOf(source)).toHaveLength(1);
  });

  test('answers the same where the party was deleted meanwhile', async () => {
    const source = await weekly();
    const { path } = await preview(source, isoAhead(28));
    await sendTo(path);

    await remove(host, source);

    expect((await sendTo(path)).status).toBe(303);
    expect(await copiesOf(source)).toHaveLength(1);
  });

  test('is shown to nobody else, and made by nobody else', async () => {
    const { path } = await preview(await weekly(), isoAhead(28));

    expect((await rival.browser.get(path)).status).toBe(404);
    expect((await sendTo(path, rival)).status).toBe(404);
    expect(await hosted(rival)).toEqual([]);
  });
});

describe('a meetup every week', () => {
  /** A meetup that Ada has accepted, and its copies of three weeks, which were sent twice. */
  async function meetupWithCopies() {
    const source = await createMeetup(host, { ...full, title: newTitle() });
    await reply(daybook.visitor(), linkOf(source, 'Ada'));
    const page = await preview(source, isoAhead(28));
    for (const _ of [1, 2]) await page.submit('Make the copies');
    return { source, copies: await copiesOf(source, meetups.hosted) };
  }

  test('is made once where it is sent twice', async () => {
    const { copies } = await meetupWithCopies();

    expect(copies.map(({ date }) => date)).toEqual([14, 21, 28].map((days) => dayAhead(days)));
  });

  test('has the same names without their answers in each copy', async () => {
    const { copies } = await meetupWithCopies();

    for (const copy of copies) {
      expect(Object.fromEntries(await rsvpsIn(host, copy))).toEqual({ Ada: null, Ben: null });
    }
  });

  test('has a new link for each name in each copy', async () => {
    const { source, copies } = await meetupWithCopies();

    const ids = [source, ...copies].flatMap(({ attendees }) => attendees.map(({ id }) => id));
    expect(new Set(ids).size).toBe(8);
    for (const copy of copies) {
      expect((await daybook.visitor().get(`/meetup-rsvp/${linkOf(copy, 'Ada').id}`)).status).toBe(200);
    }
  });
});

describe('the invitations of a meetup every week', () => {
  /** A meetup for Ben, whose first invitation has come. */
  async function mailedMeetup() {
    await confirmAddress(daybook.d1, host);
    const ben = newAddress();
    const source = await createMeetup(host, { title: newTitle(), attendees: [{ name: 'Ben', email: ben }] });
    const mail = await mailTo(daybook.visitor(), ben, /^An invitation/);
    return { source, ben, mail };
  }
  const copiesKeeping = (address: string) =>
    daybook.d1.prepare('SELECT count(*) AS n FROM invitations WHERE email = ?').bind(address).first('n');

  test('are mailed where that is ticked', async () => {
    const { source, ben } = await mailedMeetup();

    await (await preview(source, isoAhead(21))).submit('Make the copies');

    await expect.poll(() => countMails(daybook.visitor(), ben), { timeout: 10_000 }).toBe(3);
  });

  test('are not mailed where it is not ticked, and the addresses are kept', async () => {
    const { source, ben } = await mailedMeetup();

    await (await preview(source, isoAhead(21))).submit('Make the copies', { isMailed: false });

    await daybook.scheduled();
    expect(await countMails(daybook.visitor(), ben)).toBe(1);
    expect(await copiesKeeping(ben)).toBe(3);
  });

  test('are not mailed to whoever wants no more of this sender', async () => {
    const { source, ben, mail } = await mailedMeetup();
    const end = await daybook.visitor().visit(mail.link('/unsubscribe/'));
    await end.submit('No more mails from this sender');

    await (await preview(source, isoAhead(21))).submit('Make the copies');

    await daybook.scheduled();
    expect(await countMails(daybook.visitor(), ben)).toBe(1);
  });
});
