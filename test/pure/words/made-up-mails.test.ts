import { describe, expect, test } from 'vitest';
import { bookingEntry, busyEntry, entryOfParty } from '../../../app/domain/calendar/entries';
import type { Subject } from '../../../app/domain/messages/kinds/kind';
import { asHtml, asText, mailTextOf } from '../../../app/domain/messages/mail-text';
import { briefOf, type Kind, kinds, type Message, mailsOf } from '../../../app/domain/messages/messages';
import { noticeLine } from '../../../app/domain/messages/notices';
import { formerName } from '../../../app/domain/profile/former';
import { worded } from '../../../app/domain/words/worded';
import { anyOf, madeUpI18n, namesOfDates, strangeWords } from '../../support/made-up';

/* Every kind of mail, of news and of calendar entry in the made-up language. What people typed is Greek here. */

const i18n = madeUpI18n('fr');
const sameEverywhere = anyOf(['Daybook', 'Lisbon', 'Colombo', ...namesOfDates('fr')]);
const typed = /\p{sc=Greek}+|https?:\/\/[^\s\]"]+/gu;
const strangeIn = (text: string) => strangeWords([text.replaceAll(typed, ' ')], sameEverywhere);

const startsAt = Date.parse('2026-12-01T10:00Z');
const appointment: Subject = {
  ...{ noun: 'appointment', id: 'a1', title: null, date: '2026-12-01', people: 2 },
  ...{ startsAt, endsAt: startsAt + 1_800_000, timeZone: 'Europe/Lisbon' },
  ...{ address: 'Οδός', locationUrl: null, service: 'Κούρεμα' },
};
const party: Subject = { ...appointment, noun: 'party', title: 'Γιορτή', service: null };

const [several, was] = [{ batchId: 'b', last: startsAt + 86_400_000 }, { startsAt: startsAt - 86_400_000 }];
const dates = (['closed', 'taken', 'busy', 'service', 'length', 'skipped'] as const).map((why, day) => ({
  date: `2026-12-1${day}`,
  why,
}));
const stays = { from: null, to: null, several: null };
const wished = { wishId: 'w', service: 'Κούρεμα' };
const offered = { wishId: 'w', slotId: null, heldUntil: null, isOver: false, readerZone: 'Asia/Colombo' };

/** What a message of each kind may say beside its subject. */
const dataOfKinds: { [Name in Kind]: Message<Name>['data'][] } = {
  booked: [0, 1, 2].flatMap((filled) => [
    { several: null, filled },
    { several, filled },
  ]),
  moved: [
    ...[0, 1, 2].flatMap((filled) => [
      { ...stays, was, reason: null, filled },
      { ...stays, was, reason: 'Άρρωστος', filled },
    ]),
    ...[several, null].flatMap((several) => [
      { was, reason: 'Άρρωστος', filled: 0, from: 'Άννα', to: null, several },
      { was: { startsAt }, reason: null, filled: 0, from: 'Άννα', to: null, several },
      { was: {}, reason: null, filled: 0, from: null, to: ['Βασίλης'], several },
    ]),
  ],
  canceled: [
    { several: null, reason: null },
    { several: null, reason: 'Άρρωστος' },
    { several, reason: null },
    { several, reason: 'Άρρωστος' },
  ],
  answers: [{}],
  rsvps: [{}],
  answered: [
    { isComing: true, wasComing: false, brings: 0 },
    { isComing: true, wasComing: false, brings: 2 },
    { isComing: false, wasComing: true, brings: 0 },
  ],
  changed: [
    { was: {} },
    { was: { title: 'Χορός', ...was, address: null, locationUrl: 'https://map.test' } },
    { was: { address: 'Λόφος' } },
  ],
  'called-off': [{ reason: null }, { reason: 'Βροχή' }],
  invited: [{}],
  'join-shop': [{ shop: 'Κομμωτήριο', role: 'desk' }],
  reminder: [{ isWithoutRsvp: false }, { isWithoutRsvp: true }],
  wish: [
    { ...wished, times: null },
    { ...wished, service: null, times: { date: '2026-12-01', as: 'short' } },
  ],
  offer: [offered, { ...offered, heldUntil: startsAt - 3_600_000 }, { ...offered, isOver: true }],
  undelivered: [{}],
  overlap: [{}],
  missed: [1, 2, 6].map((count) => ({ personId: 'p', dates: dates.slice(-count) })),
  'unread-calendar': [{ name: 'Σχολείο' }],
  webhook: [
    { what: 'failing', host: 'ταμείο.δοκιμή' },
    { what: 'given-up', host: 'ταμείο.δοκιμή' },
    { what: 'gone', host: 'ταμείο.δοκιμή' },
  ],
  password: [{}],
  key: [{}],
  email: [{}],
  'factor-on': [{}],
  'factor-off': [{}],
  'confirm-email': [{}],
  'reset-password': [{}],
};

const subjects = [appointment, { ...appointment, service: null }, party, { ...party, noun: 'meetup' as const }, null];
/** Every message of a kind that somebody may get. */
const messagesOf = (kind: Kind): Message[] =>
  dataOfKinds[kind].flatMap((data) =>
    subjects.flatMap((subject) =>
      [true, false].flatMap((isToHost) =>
        [null, '', 'Ζωή'].map(
          (other) =>
            ({
              ...{ id: 'm', at: startsAt, isRead: false, host: other ?? 'Ζωή', invitationId: other && 'i', count: 3 },
              ...{ kind, data, subject, isToHost, other },
            }) as Message,
        ),
      ),
    ),
  );

const facts: Parameters<typeof mailTextOf>[1] = {
  ...{ readerName: 'Μάγια', readerZone: 'Asia/Colombo', paragraphs: ['Οδός', 'Προκαταβολή', 'Κουδούνι'] },
  ...{ canChange: true, href: 'https://daybook.test/a', again: 'https://daybook.test/b' },
  ...{ unsubscribe: 'https://daybook.test/c', notMe: 'https://daybook.test/d', isHosts: false },
};

describe.each(kinds)('every word can be translated about "%s"', (kind) => {
  test('in a mail', () => {
    const mails = messagesOf(kind).flatMap((message) =>
      [facts, { ...facts, readerName: formerName, isHosts: true, canChange: false, unsubscribe: null }].flatMap(
        (known) => {
          const mailText = mailTextOf(message, known, i18n);
          const [, shown = ''] = /<body[^>]*>(.*)<\/body>/s.exec(asHtml(mailText, i18n)) ?? [];
          return [mailText.subject, asText(mailText, i18n), shown.replaceAll(/<[^>]+>|&\w+;/g, ' ')];
        },
      ),
    );

    expect(mails.length).toBeGreaterThan(0);
    expect([...new Set(mails)].flatMap(strangeIn)).toEqual([]);
  });

  test('on a screen', () => {
    const lines = messagesOf(kind).flatMap((message) => {
      const notice = noticeLine(message, 'Asia/Colombo');
      const shown = [briefOf(message), mailsOf(kind), ...(notice ? [notice.title, notice.text] : [])];
      return shown.map((words) => worded(i18n, words));
    });

    expect([...new Set(lines)].flatMap(strangeIn)).toEqual([]);
  });
});

describe('every word can be translated in a calendar’s entry', () => {
  const reader = { origin: 'https://daybook.test', stampedAt: startsAt, i18n };
  const times = { id: 'a', sequence: 0, startsAt, endsAt: startsAt + 1_800_000 };
  const booking = {
    ...times,
    ...{
      calendarId: 'c',
      notes: 'Κουδούνι',
      location: 'Οδός',
      isCanceled: false,
      where: null,
      place: null,
      shop: null,
      username: null,
      linkPath: '/booking/k',
    },
    ...{ answers: [], questions: [] },
  };
  const textsOf = ({ summary, description, providerName }: ReturnType<typeof bookingEntry>) =>
    [summary, description, providerName].filter((text) => typeof text === 'string');

  test.each([
    ['an appointment', 'Κάρλα', 'Μάγια', 'Κούρεμα'],
    ['an appointment of somebody who has left', formerName, null, null],
  ])('of %s', (_, providerName, bookerName, service) => {
    const entries = [true, false].map((isProvider) =>
      bookingEntry({ ...booking, providerName, bookerName, service }, { ...reader, isProvider }),
    );

    expect(entries.flatMap(textsOf).flatMap(strangeIn)).toEqual([]);
  });

  test.each(['Χάννα', formerName])('of a party of %s', (providerName) => {
    const event = { ...times, title: 'Γιορτή', providerName, description: null, address: 'Οδός', locationUrl: null };

    const entry = entryOfParty(event, { ...reader, isCanceled: false, url: 'https://daybook.test/p' });

    expect(textsOf(entry).flatMap(strangeIn)).toEqual([]);
  });

  test('of a time that is busy', () => {
    expect(strangeIn(busyEntry({ ...times, summary: 'Κούρεμα', stampedAt: startsAt }, i18n).summary)).toEqual([]);
  });
});
