import { beforeAll, describe, expect, test } from 'vitest';
import { type Person, password, peopleAt, publishOne } from '../../support/factories';
import { openGuest } from '../../support/guests';
import { createMeetup, meetupDraft, partyDraft } from '../../support/party-factories';
import { useServer } from '../../support/use-server';

/* Names that are not read as they were typed: with signs that nobody sees, or that turn the direction of what follows. */

const daybook = useServer();
const { newProvider, newConsumer } = peopleAt(daybook);

const turning = [
  ...['\u202a', '\u202b', '\u202c', '\u202d', '\u202e', '\u2066', '\u2067', '\u2068', '\u2069'],
  ...['\u200e', '\u200f', '\u061c'],
];
const unseen = ['\u200b', '\u200c', '\u200d', '\u2060', '\ufeff', '\u00ad', '\u034f', '\u3164', '\u2800', '\u2028'];
const tags = ['\ufe0f', '\u{e0041}', '\u{e0101}'];
const hidden = [...turning, ...unseen, ...tags];
const words = 'has hidden characters, or ones that turn its direction. Please type it without them.';

let provider: Person;
let consumer: Person;
beforeAll(async () => {
  [provider, consumer] = await Promise.all([newProvider(), newConsumer()]);
});

describe('a name with a hidden character', () => {
  const person = { password, role: 'Consumer', timeZone: 'UTC' };

  test.each(hidden.map((sign) => [sign.codePointAt(0)?.toString(16), sign]))(
    'U+%s names no account',
    async (_, sign) => {
      const displayName = `An${sign}a`;
      const named = { ...person, username: `zoe.${sign.codePointAt(0)}`, displayName };
      const refused = await daybook.visitor().api('POST', '/api/Account/Register', named);
      expect([refused.status, refused.json]).toEqual([400, [`Full name or company name ${words}`]]);
      const login = await daybook.visitor().api('POST', '/api/Account/Register', {
        ...person,
        username: `an${sign}a`,
        displayName: 'Ana',
      });
      expect([login.status, login.text]).toEqual([400, expect.stringContaining('Username can have only letters')]);
    },
  );

  test('names no guest, nobody who walked in, and nobody anew', async () => {
    const displayName = 'A\u202ena';
    const slot = await publishOne(provider);
    const attempts = [
      openGuest(daybook.visitor(), { displayName, timeZone: 'UTC' }),
      provider.api('POST', `/api/Appointment/BookFor?id=${slot.id}`, { displayName }),
      newProvider({ displayName }).then(
        () => ({ status: 201, text: '' }),
        (error: Error) => ({ status: 400, text: error.message }),
      ),
    ];
    for (const { status, text } of await Promise.all(attempts))
      expect([status, text.includes(words)]).toEqual([400, true]);
    const typed = { intent: 'profile', displayName, timeZone: 'UTC' };
    const page = await consumer.browser.post('/profile', typed);
    expect([page.status, page.words.includes(words)]).toEqual([400, true]);
  });

  test('is no title of a party, no name of a meetup, and in no address of a mail', async () => {
    const title = 'Party \u2067on';
    const party = await provider.api('POST', '/api/Party/CreateParty', { ...partyDraft(), title });
    expect([party.status, party.json]).toEqual([400, [`Title ${words}`]]);
    const draft = { ...meetupDraft(), attendees: ['Bea\u200b', 'Bea'] };
    const named = await provider.api('POST', '/api/meetup/CreateMeetup', draft);
    expect([named.status, named.json]).toEqual([400, [`A name ${words}`]]);
    const { id } = await createMeetup(provider);
    const added = await provider.api('POST', `/api/meetup/AddAttendees?id=${id}`, ['Be\u2060a']);
    expect([added.status, added.json]).toEqual([400, [`A name ${words}`]]);
    const mail = await consumer.api('PUT', '/api/Account/SetEmail', { email: 'an\u202ea@mail.test', password });
    expect([mail.status, mail.json]).toEqual([400, ['That is no e-mail address.']]);
  });
});

test.each([
  'علی\u200cرضا',
  'क्\u200dष',
  '👩\u200d👧 Costa',
  '❤\ufe0f Yoga',
  '1\ufe0f\u20e3',
  '葛\u{e0100}城',
  'שלום',
  'José',
])('takes %s, which needs its signs', async (displayName) => {
  const guest = await openGuest(daybook.visitor(), { displayName, timeZone: 'UTC' });
  expect([guest.status, guest.json]).toEqual([
    201,
    expect.objectContaining({ displayName: displayName.normalize('NFC') }),
  ]);
});

test('takes what a text of several lines needs to be read from the right', async () => {
  const description = 'הטלפון: \u200e+351 210 000\u200e\n\u2067שלום\u2069';
  const party = await provider.api('POST', '/api/Party/CreateParty', { ...partyDraft(), description });
  expect([party.status, party.json]).toEqual([201, expect.objectContaining({ description })]);
});
