import { expect, test } from 'vitest';
import { type CalendarEvent, readCalendar } from '../../support/calendars';
import { cancel, dayAhead, publish, type Row } from '../../support/factories';
import { bookedSubject } from '../../support/mails';
import { createService } from '../../support/services';
import { useMail } from '../../support/use-mail';
import { useWorld } from '../../support/use-server';

const { mailServer, daybook } = useMail();
const { ana, maya } = useWorld(daybook, {
  ana: { displayName: 'Ana Lima', address: 'Rua das Flores 3' },
  maya: { displayName: 'Maya Ek' },
});

test('what is booked is named wherever an appointment is, and stays as it was when its provider renames it', async () => {
  await daybook.d1
    .prepare(
      `UPDATE accounts SET email = iif(display_name = 'Ana Lima', 'ana@mail.test', 'maya@mail.test'), email_confirmed_at = 1
       WHERE display_name IN ('Ana Lima', 'Maya Ek')`,
    )
    .run();
  await ana.api('PUT', '/api/Account/SetProfile', { address: 'Rua das Flores 3' });
  const colour = await createService(ana, { name: 'Colour', minutes: 60, price: '90 €' });
  const [slot] = (await publish(ana, { end: '12:00', dates: [dayAhead(2)] })) as [Row];
  const row = (await maya.api('PUT', `/api/Appointment/Book?id=${slot.id}&service=${colour.id}`)).json as Row;
  await ana.api('PUT', `/api/Service/Edit?id=${colour.id}`, { name: 'Tint', price: '99 €' });

  const eventIn = (text: string) => [...readCalendar(text).events.values()][0] as CalendarEvent;
  const { mail: hers } = await mailServer.got('maya@mail.test', bookedSubject);
  expect(hers.subject).toMatch(/^Ana Lima, Colour: /);
  expect(hers.text).toContain('Your appointment for Colour with Ana Lima is on ');
  const { mail: theirs } = await mailServer.got('ana@mail.test', /^Booked: Maya Ek, Colour, /);
  expect(theirs.text).toContain('Maya Ek booked Colour on ');
  const file = theirs.attachments.find(({ contentType }) => /calendar/.test(contentType));
  expect(eventIn(String(file?.content)).summary).toBe('Colour, Maya Ek');

  for (const [who, summary, screen] of [
    [maya, 'Colour, Ana Lima', 'details-cancel'],
    [ana, 'Colour, Maya Ek', 'details-provider'],
  ] as const) {
    const file = await who.browser.get(`/appointments/${row.id}/daybook.ics`);
    const { link } = (await who.api('POST', '/api/Account/MakeFeed')).json as { link: string };
    for (const { text } of [file, await daybook.visitor().get(link)])
      expect(eventIn(text)).toMatchObject({ summary, location: 'Rua das Flores 3' });
    for (const path of ['/', '/view-booked', '/view-dash', `/week?from=${dayAhead(1)}`, '/api/Account/Export'])
      expect((await who.browser.get(path)).text, path).toContain('Colour');
    expect((await who.browser.get(`/${screen}/${row.id}`)).words).toContain('Colour · 90 €');
  }
  expect((await ana.browser.get('/news')).words).toContain('Maya Ek booked Colour on ');
  expect((await ana.browser.get('/view-booked/bookings.csv')).text).toContain('Colour');
  await cancel(ana, row);
  expect((await maya.browser.get('/news')).words).toContain('Ana Lima canceled the appointment for Colour on ');
});
