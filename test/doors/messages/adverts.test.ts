import { beforeAll, expect, test } from 'vitest';
import { confirmAddress } from '../../support/confirmed';
import { cancel, type Person, peopleAt } from '../../support/factories';
import { newGuest } from '../../support/guests';
import {
  bookWith,
  idOf,
  intakeAnswers,
  openEnded,
  publishAsking,
  writeTemplate,
} from '../../support/template-factories';
import { useMail } from '../../support/use-mail';

/* Whoever books as a guest may type somebody else's address. Nothing that they type beside it is mailed there. */

const { mailServer, daybook } = useMail();
const { newProvider } = peopleAt(daybook);

const advert = 'Win www.evil.example at http://evil.example or call 555 010 1234';
const evil = /evil|www|555/;

let karla: Person & { email: string };
beforeAll(async () => {
  karla = await confirmAddress(daybook.d1, await newProvider({ displayName: 'Salon Karla' }));
});

test('a guest’s name and answers advertise nothing at an address that nobody has confirmed, nor to the provider', async () => {
  const template = await writeTemplate(karla, [{ questionText: 'Anything else?', questionType: openEnded }]);
  const slot = await publishAsking(karla, idOf(template));
  const guest = await newGuest(daybook, { displayName: advert, email: 'victim@mail.test' });
  const answers = [{ question: 'Anything else?', answer: advert }];
  expect((await bookWith(guest, slot, answers)).status).toBe(200);
  const booked = await mailServer.got('victim@mail.test', /^Salon Karla: /);
  expect(booked.mail.text).toContain('Hello Win at or call,');
  expect(String(booked.mail.attachments[0]?.content)).toContain('SUMMARY:Salon Karla');
  expect([booked.mail.subject, booked.mail.text, booked.mail.html, attached(booked)].join()).not.toMatch(evil);
  const told = await mailServer.got(karla.email, /^Booked: Win at or call, /);
  expect([told.mail.subject, told.mail.text, told.mail.html].join()).not.toMatch(evil);
  expect((await cancel(guest, slot)).status).toBe(200);
  const canceled = await mailServer.got('victim@mail.test', /^Canceled: /);
  expect([canceled.mail.subject, canceled.mail.text, canceled.mail.html, attached(canceled)].join()).not.toMatch(evil);
});

test('nor does the name, city, address or number of a provider without a confirmed address', async () => {
  const rui = await newProvider({ displayName: advert, location: 'evil.example' });
  await rui.api('PUT', '/api/Account/SetProfile', { address: 'Win at evil.example', phone: '+39 555 010 1234' });
  const slot = await publishAsking(rui, idOf(await writeTemplate(rui)));
  const guest = await newGuest(daybook, { displayName: 'evil.example', email: 'other@mail.test' });
  expect((await bookWith(guest, slot, intakeAnswers)).status).toBe(200);
  const booked = await mailServer.got('other@mail.test', /^Win at or call: /);
  expect(booked.mail.text).toContain('Hello,\n');
  expect([booked.mail.subject, booked.mail.text, booked.mail.html, attached(booked)].join()).not.toMatch(evil);
});

const attached = ({ mail }: Awaited<ReturnType<typeof mailServer.got>>) =>
  // Calendars break long lines with a space.
  mail.attachments.map(({ content }) => String(content).replaceAll('\r\n ', '')).join();
