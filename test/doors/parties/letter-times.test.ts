import ICAL from 'ical.js';
import { describe, expect, test } from 'vitest';
import { peopleAt, publish, type Row, registerConsumer, registerProvider } from '../../support/factories';
import { partyPath } from '../../support/letters';
import { createMeetup, createParty, linkOf, type Party, reply, rsvp } from '../../support/party-factories';
import { useServer } from '../../support/use-server';
import type { Page, Visitor } from '../../support/visit';
import { useWorld } from '../../support/world';

const daybook = useServer();
const { newProvider, newConsumer } = peopleAt(daybook);
const { host, maya, june } = useWorld(daybook, {
  host: { timeZone: 'Asia/Colombo' },
  maya: { username: 'maya.l' },
  june: {},
});

describe('the reader’s own time', () => {
  const abroad = useServer({ vars: { READER_ZONE: 'America/New_York' } });
  /** What the clocks of a zone show. */
  const clock = (at: string, timeZone: string) =>
    new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' }).format(Date.parse(at));
  const timesOf = (page: Page) => page.$$('main time').map(({ text }) => text);
  const both = ({ startsAt, endsAt }: Party, ...zones: string[]) =>
    zones.flatMap((zone) => [clock(startsAt, zone), clock(endsAt, zone)]);

  test('stands beside the host’s where the clocks differ: the account’s, else the edge’s', async () => {
    const [ana, anywhere] = await Promise.all([
      registerProvider(abroad, { timeZone: 'Asia/Colombo' }),
      registerConsumer(abroad, { timeZone: 'Europe/Lisbon' }),
    ]);
    const [party, meetup] = await Promise.all([createParty(ana), createMeetup(ana)]);
    const { id } = linkOf(meetup, 'Ada');
    for (const [path, event] of [
      [partyPath(party), party],
      [`/meetup-rsvp/${id}`, meetup],
    ] as const) {
      expect(timesOf(await abroad.visitor().get(path))).toEqual(both(event, 'Asia/Colombo', 'America/New_York'));
      expect(timesOf(await anywhere.browser.get(path))).toEqual(both(event, 'Asia/Colombo', 'Europe/Lisbon'));
      expect(timesOf(await ana.browser.get(path))).toEqual(both(event, 'Asia/Colombo'));
      expect((await abroad.visitor().get(path)).words).toContain('Colombo time');
    }
  });

  test('says the day too, where that is another', async () => {
    const ana = await registerProvider(abroad, { timeZone: 'Asia/Colombo' });
    const party = await createParty(ana, { startTime: '02:00', endTime: '04:00' });
    const day = (timeZone: string) =>
      new Intl.DateTimeFormat('en-GB', { timeZone, day: 'numeric', month: 'short' })
        .format(Date.parse(party.startsAt))
        .replace('Sept', 'Sep');
    const page = await abroad.visitor().get(partyPath(party));
    expect(day('America/New_York')).not.toBe(day('Asia/Colombo'));
    expect(page.words).toContain(`${day('America/New_York')}, for you`);
  });

  test('is there too where only the end differs, in the night in which the clocks change', async () => {
    const nextYear = new Date().getUTCFullYear() + 1;
    const lastOfMarch = new Date(Date.UTC(nextYear, 2, 31));
    const saturday = 31 - lastOfMarch.getUTCDay() - 1;
    const [ana, reader] = await Promise.all([
      newProvider({ timeZone: 'Europe/Lisbon' }),
      newConsumer({ timeZone: 'Atlantic/Reykjavik' }),
    ]);
    const night = { date: `03-${saturday}-${nextYear}`, startTime: '23:00', endTime: '06:00' };
    const page = await reader.browser.get(partyPath(await createParty(ana, night)));
    expect(timesOf(page)).toEqual(['23:00', '06:00', '23:00', '05:00']);
  });

  test('stands beside the length where the clocks change in between, because start and end don’t show it', async () => {
    const nextYear = new Date().getUTCFullYear() + 1;
    const sunday = 31 - new Date(Date.UTC(nextYear, 2, 31)).getUTCDay();
    const ana = await registerProvider(abroad, { timeZone: 'Europe/Lisbon' });
    const night = { start: '00:30', end: '03:30', dates: [`03-${sunday}-${nextYear}`] };
    const [across, after] = (await publish(ana, night, 'len=60')) as [Row, Row];
    const wordsOf = async ({ id }: Row) => (await abroad.visitor().get(`/with/${ana.username}/${id}`)).words;
    expect(await wordsOf(across)).toMatch(/00:30 to 02:30, 1 hour, Lisbon time/);
    expect(await wordsOf(after)).toMatch(/02:30 to 03:30, Lisbon time/);
  });

  test('is left out where the clocks are the same, or where nobody knows it', async () => {
    const [near, far] = await Promise.all([
      registerProvider(abroad, { timeZone: 'America/Toronto' }),
      newProvider({ timeZone: 'America/Toronto' }),
    ]);
    const [here, there] = [await createParty(near), await createParty(far)];
    expect(timesOf(await abroad.visitor().get(partyPath(here)))).toEqual(both(here, 'America/Toronto'));
    expect(timesOf(await daybook.visitor().get(partyPath(there)))).toEqual(both(there, 'America/Toronto'));
  });
});

describe('the calendar file', () => {
  /** The one event of a calendar file, as another program reads it. */
  async function eventOf(path: string, who: Visitor = daybook.visitor()) {
    const { status, headers, text } = await who.get(path);
    expect([status, headers.get('content-type')]).toEqual([200, 'text/calendar; charset=utf-8']);
    expect(headers.get('content-disposition')).toBe('attachment; filename="daybook.ics"');
    expect(text.endsWith('\r\nEND:VCALENDAR\r\n')).toBe(true);
    for (const line of text.split('\r\n')) {
      expect(line).not.toContain('\n');
      expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
    }
    const calendar = new ICAL.Component(ICAL.parse(text));
    const [component, ...more] = calendar.getAllSubcomponents('vevent');
    expect(more).toEqual([]);
    const event = new ICAL.Event(component);
    const stamp = component?.getFirstPropertyValue('dtstamp') as ICAL.Time;
    expect(Math.abs(stamp.toJSDate().getTime() - Date.now())).toBeLessThan(60_000);
    return {
      method: String(calendar.getFirstPropertyValue('method')),
      organizer: [
        component?.getFirstProperty('organizer')?.getParameter('cn'),
        component?.getFirstPropertyValue('organizer'),
      ],
      uid: event.uid,
      sequence: event.sequence,
      summary: event.summary,
      description: event.description,
      location: event.location,
      url: String(component?.getFirstPropertyValue('url')),
      status: String(component?.getFirstPropertyValue('status')),
      startsAt: event.startDate.toJSDate().toISOString(),
      endsAt: event.endDate.toJSDate().toISOString(),
    };
  }

  const words = { title: 'Ünïcode, semi; colon\\ & 🎉', description: `Two lines,\nand ${'more; '.repeat(40)}` };

  test.each(['party', 'meetup'])(
    'of a %s opens elsewhere, and an edit raises its SEQUENCE, not its UID',
    async (kind) => {
      const details = { ...words, address: '5 Elm Street, Kandy', startTime: '20:00', endTime: '02:00' };
      const isParty = kind === 'party';
      const made = isParty ? await createParty(host, details) : await createMeetup(host, details);
      const page = isParty ? `/party/${made.id}` : `/meetup-rsvp/${linkOf(made, 'Ada').id}`;
      const call = isParty ? `/api/Party/EditParty/${made.id}` : `/api/meetup/EditMeetup/${made.id}`;
      const edit = async (change: object) => expect((await host.api('PUT', call, change)).status).toBe(200);
      const read = () => eventOf(`${page}/daybook.ics`);
      const shouted = page.replace(/^\/[^/]+/, (name) => name.toUpperCase());

      const first = await read();
      expect(first).toEqual({
        method: 'PUBLISH',
        organizer: [made.providerName, expect.stringMatching(/^mailto:[^@]+@[^@]+\.invalid$/)],
        uid: expect.stringMatching(/.{20,}/),
        sequence: 0,
        summary: words.title,
        description: words.description.trim(),
        location: '5 Elm Street, Kandy',
        url: `${daybook.url}${page}`,
        status: 'CONFIRMED',
        startsAt: made.startsAt,
        endsAt: made.endsAt,
      });
      expect(await eventOf(`${shouted}/daybook.ics/`)).toEqual(first);
      await (isParty ? rsvp(maya, made) : reply(daybook.visitor(), linkOf(made, 'Ada')));
      await edit({ title: words.title });
      expect(await read()).toEqual(first);

      await edit({ startTime: '21:00' });
      const moved = await read();
      expect(moved).toEqual({ ...first, sequence: moved.sequence, startsAt: made.startsAt.replace('T14:', 'T15:') });
      expect(moved.sequence).toBeGreaterThan(first.sequence);
      await edit({ title: 'Other' });
      expect((await read()).sequence).toBeGreaterThan(moved.sequence);
      expect((await read()).uid).toBe(first.uid);
    },
  );

  test('is whole whatever its organizer is called', async () => {
    const displayName = `Bo "the" Höst; a, b: c\\d ${'and so on '.repeat(5)}`;
    const party = await createParty(await newProvider({ displayName }));
    const { organizer } = await eventOf(`/party/${party.id}/daybook.ics`);
    expect(organizer).toEqual([displayName.trim().replaceAll(/["\\]/g, "'"), 'mailto:organizer@daybook.invalid']);
  });

  test('is the same one behind the link after a yes and behind the one on the first page', async () => {
    const party = await createParty(host);
    const home = await (await june.browser.get(partyPath(party))).submit('RSVP');
    const letter = await june.browser.get(partyPath(party));
    const hrefs = [home, letter].map(
      (page) =>
        page
          .$$('main a')
          .find(({ text }) => text === 'Add to calendar')
          ?.getAttribute('href') ?? '',
    );
    expect(new Set(hrefs).size).toBe(1);
    expect(await eventOf(hrefs[0] ?? '', june.browser)).toMatchObject({ summary: 'Garden party', location: null });
  });
});
