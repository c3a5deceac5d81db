import { addDays, wireDate } from '../../app/domain/time/clock';
import { todayIn } from '../../app/domain/time/zones';
import { type Asked, askedOf, visitor } from '../support/visit';
import type { Sessions } from './scenarios';
import { openPartyId } from './world-events';
import { password, providerName, templateId, type WorldSize, zoneOf } from './world-plan';

/** What one write asked of D1. */
export type Writing = Asked & { what: string };

type Row = { id: string; invitations: { id: string }[] };
type Fields = Record<string, string | string[]>;

/**
 * Makes every kind of write once, as the rich provider and the rich consumer of a world, and a few of them again. The
 * days it publishes on are years away, so that it can be done in any world.
 * @throws Error where one is refused
 */
export async function costOfWrites(
  url: string,
  { size, sessions, now }: { size: WorldSize; sessions: Sessions; now: number },
): Promise<Writing[]> {
  const writings: Writing[] = [];
  const noted = <Noted extends { status: number; headers: Headers; text: string }>(what: string, response: Noted) => {
    if (response.status >= 400) throw new Error(`${what} was answered ${response.status}: ${response.text}`);
    writings.push({ what, ...askedOf(response.headers) });
    return response;
  };
  const browser = visitor(url);
  const as = (cookie: string): Record<string, string> => (cookie ? { cookie } : {});
  const send = async (what: string, cookie: string, method: string, path: string, body?: unknown) =>
    noted(what, await visitor(url).api(method, `/api/${path}`, body, as(cookie))).json as Row;
  const post = async (what: string, cookie: string, path: string, fields: Fields) => {
    const pairs = Object.entries(fields).flatMap(([name, value]) => [value].flat().map((one) => [name, one]));
    const { headers } = noted(what, await visitor(url).post(path, new URLSearchParams(pairs), as(cookie)));
    return headers.get('location') ?? '';
  };
  const { provider, consumer } = sessions;
  const day = (ahead: number) => wireDate(addDays(todayIn(zoneOf(0), now), 1_000 + ahead));
  const publish = (what: string, dates: string[], [start, end]: [string, string], template = '') =>
    send(what, provider, 'POST', `Appointment/CreateAppointment?len=30${template}`, { start, end, dates });
  const listOf = async (date: string) => {
    const query = `provider=${providerName(0)}&dates=${date}`;
    const response = await visitor(url).api('GET', `/api/Appointment/GetPage?${query}`, undefined, {
      cookie: consumer,
    });
    return (response.json as Row[]).map(({ id }) => id) as [string, string, string, ...string[]];
  };

  await publish('publish 1 slot', [day(0)], ['09:00', '09:30']);
  await publish('publish a day of 16 slots', [day(1)], ['09:00', '17:00']);
  await publish('publish 5 days of 16 slots', [2, 3, 4, 5, 6].map(day), ['09:00', '17:00']);
  await publish('publish them again', [2, 3, 4, 5, 6].map(day), ['09:00', '17:00']);
  await publish('publish a day with questions', [day(7)], ['09:00', '17:00'], `&templateId=${templateId(0, 0)}`);
  const [first, second, third] = await listOf(day(1));
  const [only] = await listOf(day(0));
  const [last] = (await listOf(day(2))).slice(-1);
  await send('book', consumer, 'PUT', `Appointment/Book?id=${first}`);
  await send('book again', consumer, 'PUT', `Appointment/Book?id=${first}`);
  await send('book another', consumer, 'PUT', `Appointment/Book?id=${second}`);
  await send('book the last of a day', consumer, 'PUT', `Appointment/Book?id=${last}`);
  await send('book the only one of a day', consumer, 'PUT', `Appointment/Book?id=${only}`);
  await send('cancel as the consumer', consumer, 'PUT', `Appointment/Cancel?id=${first}`);
  await send('cancel again', consumer, 'PUT', `Appointment/Cancel?id=${first}`);
  await send('cancel as the provider', provider, 'PUT', `Appointment/Cancel?id=${second}`);
  await send('withdraw an open slot', provider, 'PUT', `Appointment/Cancel?id=${third}`);
  const [asking] = await listOf(day(7));
  const answers = [{ question: 'What brings you here?', answer: 'A check' }];
  await send('book with answers', consumer, 'PUT', `Appointment/Book?id=${asking}`, answers);
  await send('answer the questions', consumer, 'PUT', `Checkin/SubmitForm?id=${asking}`, answers);

  const event = { title: 'A party', date: day(8), startTime: '18:00', endTime: '20:00' };
  const party = await send('create a party', provider, 'POST', 'Party/CreateParty', event);
  const open = openPartyId(size, size.openParties - 1);
  await send('RSVP to a party', consumer, 'PUT', `Party/BookRsvp?id=${open}&accepted=true`);
  await send('RSVP to a party again', consumer, 'PUT', `Party/BookRsvp?id=${open}&accepted=true`);
  await send('change the RSVP', consumer, 'PUT', `Party/BookRsvp?id=${open}&accepted=false`);
  const withQuestions = { ...event, template: templateId(0, 0) };
  const asked = await send('create a party with questions', provider, 'POST', 'Party/CreateParty', withQuestions);
  await send('answer its questions', consumer, 'PUT', `Party/BookRsvp?id=${asked.id}&accepted=true`, answers);
  await send('edit a party', provider, 'PUT', `Party/EditParty/${party.id}`, { title: 'Another' });
  await send('delete a party', provider, 'DELETE', `Party/DeleteParty?id=${party.id}`);
  const attendees = ['Ada', 'Ben', 'Cem', 'Dag', 'Eve'];
  const meetup = await send('create a meetup of 5', provider, 'POST', 'meetup/CreateMeetup', { ...event, attendees });
  const link = meetup.invitations[0]?.id;
  const rsvp = `meetup/ChangeRsvp?id=${link}&meetupid=${meetup.id}&accepted=true&name=Ada`;
  await send('RSVP to a meetup', '', 'PUT', rsvp);
  await send('RSVP to a meetup again', '', 'PUT', rsvp);
  await send('add a name', provider, 'POST', `meetup/AddAttendees?id=${meetup.id}`, ['Fay']);
  await send('remove a name', provider, 'DELETE', `meetup/RemoveAttendee?id=${meetup.invitations[1]?.id}`);
  await send('replace a link', provider, 'PUT', `meetup/ReplaceLink?id=${meetup.invitations[2]?.id}`);
  await send('edit a meetup', provider, 'PUT', `meetup/EditMeetup/${meetup.id}`, { title: 'Another' });
  await send('delete a meetup', provider, 'DELETE', `meetup/DeleteMeetup?id=${meetup.id}`);

  const questions = [{ questionText: 'Why?' }];
  const made = await send('create a template', provider, 'POST', 'Checkin/CreateTemplate?templateName=New', questions);
  const { template } = made as unknown as { template: { id: string } };
  const editing = `Checkin/EditTemplate?id=${template.id}&templateName=Newer`;
  const edited = await send('edit a template', provider, 'PUT', editing, questions);
  const newer = (edited as unknown as typeof made & { template: { id: string } }).template.id;
  await send('delete a template', provider, 'DELETE', `Checkin/DeleteTemplate?id=${newer}`);

  const [, other] = await listOf(day(2));
  await send('move as the consumer', consumer, 'PUT', `Appointment/Move?id=${last}&to=${other}`);
  await send('move again', consumer, 'PUT', `Appointment/Move?id=${last}&to=${other}`);
  const [, , another] = await listOf(day(2));
  await send('move as the provider', provider, 'PUT', `Appointment/Move?id=${other}&to=${another}`);
  await send('write a note', provider, 'PUT', `Appointment/SetNote?id=${another}`, { note: 'Rang twice' });
  await send('replace a booking’s link', provider, 'PUT', `Appointment/NewLink?id=${another}`);
  const [, , free] = await listOf(day(3));
  const notes = { notes: 'Ring twice', templateId: null };
  await send('change an open slot', provider, 'PUT', `Appointment/ChangeOpen?id=${free}&for=slot`, notes);
  await send('change all of its day', provider, 'PUT', `Appointment/ChangeOpen?id=${free}&for=day`, notes);
  await send('change them again', provider, 'PUT', `Appointment/ChangeOpen?id=${free}&for=day`, notes);
  const over = await visitor(url).api('GET', '/api/Appointment/GetBooked?past=true', undefined, { cookie: provider });
  const [past] = over.json as [Row];
  await send('mark who came', provider, 'PUT', `Appointment/Mark?id=${past.id}&as=seen`);
  await send('set the rules', provider, 'PUT', 'Account/SetRules', { askEmail: 'optional' });

  const username = `new-${String(now).slice(-9)}`;
  const person = { username, displayName: 'Somebody New', password, timeZone: 'UTC' };
  await send('register a consumer', '', 'POST', 'Account/Register', { ...person, role: 'Consumer' });
  const place = { role: 'Provider', location: 'Lisbon' };
  await send('register a provider', '', 'POST', 'Account/Register', { ...person, username: `${username}-p`, ...place });
  await send('log in', '', 'POST', 'Account/Login', { username, password });

  // A provider with an empty book of their own, in a city of their own, because other times there would count.
  const host = { ...person, username: `${username}-f`, role: 'Provider', location: 'Formville' };
  const registered = await browser.api('POST', '/api/Account/Register', host);
  if (registered.status !== 201) throw new Error(`Nobody was registered: ${registered.status}`);
  const mine = browser.cookies.header('/') ?? '';
  const later = (ahead: number) => addDays(todayIn('UTC', now), 300 + ahead);
  const setHours = (what: string, ahead: number[]) => {
    const hours = [{ start: '09:00', end: '17:00' }];
    const except = ahead.map((place) => ({ date: wireDate(later(place)), hours }));
    return send(what, mine, 'PUT', 'Appointment/SetHours', { hours: [], except, len: 30, ahead: 365 });
  };
  await setHours('set hours of a day of 16 slots', [0]);
  await setHours('set them once more', [0]);
  await setHours('set them for a second day', [0, 1]);
  await setHours('take the second day away', [0]);
  const withdrawn = await post('withdraw a day of 16', mine, '/view-open', {
    day: later(0),
    press: 'day',
    once: 'one',
  });
  const bring = new URL(withdrawn, url).searchParams.get('done') ?? '';
  await post('bring them back', mine, '/view-open', { day: later(0), bring });
  await post('bring them back again', mine, '/view-open', { day: later(0), bring });

  const course = { title: 'A course', date: wireDate(later(2)), startTime: '18:00', endTime: '20:00' };
  const create = async (path: string, more: object) =>
    ((await browser.api('POST', path, { ...course, ...more })).json as Row).id;
  const letter = await create('/api/Party/CreateParty', { openTo: 'anyone' });
  const list = await create('/api/meetup/CreateMeetup', { attendees });
  const copies = { dates: [9, 16, 23].map(later), sequence: '0', once: 'two' };
  await post('repeat a party three times', mine, `/repeat/${letter}`, copies);
  await post('repeat a meetup of 5 three times', mine, `/repeat/${list}`, copies);
  await post('repeat it again', mine, `/repeat/${list}`, copies);

  const query = `provider=${host.username}&dates=${wireDate(later(0))}`;
  const times = (await browser.api('GET', `/api/Appointment/GetPage?${query}`)).json as [Row, Row, Row];
  const walkIn = { intent: 'book-for', displayName: 'Wanda', once: 'three' };
  const slip = await browser.get(await post('book for somebody', mine, `/details-provider/${times[0].id}`, walkIn));
  const anyTime = { date: later(1), start: '05:10', long: '30', displayName: 'Otto', once: 'five' };
  const said = `${anyTime.date} ${anyTime.start} ${anyTime.long}`;
  await post('book any time', mine, '/book-at', { ...anyTime, over: said });
  await post('book any time again', mine, '/book-at', { ...anyTime, over: said });
  /** The token of an open form. */
  const shownOn = async (path: string) => {
    const shown = (await visitor(url).get(path)).$('input[name=shown]')?.getAttribute('value') ?? '';
    return { shown, once: 'four' };
  };
  const code = { code: slip.$('#code')?.text ?? '', ...(await shownOn('/claim')) };
  const opened = await post('spend a code from paper', '', '/claim', code);
  await post('cancel by a link', '', opened, { intent: 'cancel' });
  const page = `/with/${host.username}/${times[1].id}`;
  const guest = { displayName: 'Gus', ...(await shownOn(page)) };
  await post('book as a guest', '', page, guest);
  await post('book as that guest again', '', page, guest);
  const withMail = `/with/${host.username}/${times[2].id}`;
  const mailed = { displayName: 'Ada', email: 'ada@mail.test', ...(await shownOn(withMail)) };
  await post('book as a guest with an address', '', withMail, mailed);
  const reply = { displayName: 'Gus', accepted: 'true', ...(await shownOn(`/party/${letter}`)) };
  await post('RSVP to a party as a guest', '', `/party/${letter}?guest=yes`, reply);
  await post('ask for lost links', '', '/lost-link', { email: 'nobody@mail.test' });

  const weeks = Array.from({ length: 26 }, (_, week) => day(14 + 7 * week));
  await visitor(url).api(
    'POST',
    '/api/Appointment/CreateAppointment?len=30',
    { start: '09:00', end: '10:00', dates: weeks },
    { cookie: provider },
  );
  const [monday] = await listOf(weeks[0] as string);
  const plan = `id=${monday}&every=7&until=${weeks.at(-1)}`;
  const shown = await send('preview a series of 26', consumer, 'GET', `Appointment/PreviewSeries?${plan}`);
  const ids = (shown as unknown as Row[]).map(({ id }) => id);
  await send('book a series of 26', consumer, 'POST', 'Appointment/BookSeries', { ids });
  await send('book it again', consumer, 'POST', 'Appointment/BookSeries', { ids });
  await send('cancel it from the second on', consumer, 'PUT', `Appointment/Cancel?id=${ids[1]}&following=true`);

  await send('move a party with a guest', mine, 'PUT', `Party/EditParty/${letter}`, { date: wireDate(later(30)) });

  const createCard = async (name: string) =>
    ((await browser.api('POST', '/api/People/Create', { name })).json as Row).id;
  const [card, into] = [await createCard('Ida'), await createCard('Ida')];
  await send('merge two cards', mine, 'PUT', `People/Merge?id=${card}&into=${into}`);

  // A day with one time, for which two people wait until whoever has it cancels.
  const dates = [wireDate(later(40))];
  await browser.api('POST', '/api/Appointment/CreateAppointment?len=30', { start: '09:00', end: '09:30', dates });
  const timesOfDay = `/api/Appointment/GetPage?provider=${host.username}&dates=${dates}`;
  const [wanted] = (await browser.api('GET', timesOfDay)).json as [Row];
  await visitor(url).api('PUT', `/api/Appointment/Book?id=${wanted.id}`, undefined, { cookie: consumer });
  const waiting = [visitor(url), visitor(url)] as const;
  for (const [place, client] of waiting.entries()) {
    const account = { ...person, username: `${username}-w${place}`, role: 'Consumer' };
    await client.api('POST', '/api/Account/Register', account);
  }
  const [firstInLine, secondInLine] = waiting.map(({ cookies }) => cookies.header('/') ?? '') as [string, string];
  const wish = { provider: host.username, from: dates[0], to: dates[0] };
  await send('wait for a time', firstInLine, 'POST', 'Waitlist/Add', wish);
  await send('wait behind somebody', secondInLine, 'POST', 'Waitlist/Add', wish);
  await send('cancel while two wait', consumer, 'PUT', `Appointment/Cancel?id=${wanted.id}`);
  const offerTo = async (cookie: string) => {
    const { json } = await visitor(url).api('GET', '/api/Waitlist/GetMy', undefined, { cookie });
    return (json as { offer: { link: string } | null }[])[0]?.offer?.link.split('/').at(-1) ?? '';
  };
  await send('pass an offer on', '', 'PUT', `Public/PassOffer?key=${await offerTo(firstInLine)}`);
  await send('take an offer', '', 'PUT', `Public/TakeOffer?key=${await offerTo(secondInLine)}`);

  // Services are last, because with one of them each booking would have to name it.
  const service = await send('create a service', mine, 'POST', 'Service/Create', { name: 'Class', minutes: 30 });
  await send('change a service', mine, 'PUT', `Service/Edit?id=${service.id}`, { price: '20 €' });
  await send('rename a service', mine, 'PUT', `Service/Edit?id=${service.id}`, { name: 'Course' });
  const morning = { start: '09:00', end: '11:00', dates: [wireDate(later(50))], serviceId: service.id };
  await browser.api('POST', '/api/Appointment/CreateAppointment?len=30', morning);
  await send('give four coming times a second seat', mine, 'PUT', `Service/Edit?id=${service.id}`, { seats: 2 });
  return writings;
}
