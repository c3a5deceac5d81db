import { beforeAll, describe, expect, test } from 'vitest';
import { type CalendarEvent, readCalendar } from '../../support/calendars';
import { cancel, dayAhead, isoAhead, publish, type Row } from '../../support/factories';
import { bookedSubject } from '../../support/mails';
import { createService } from '../../support/services';
import { useMail } from '../../support/use-mail';
import { useWorld } from '../../support/use-server';

const { mailServer, daybook } = useMail();
const { ana, maya } = useWorld(daybook, {
  ana: { displayName: 'Ana Lima', address: 'Rua das Flores 3' },
  maya: { displayName: 'Maya Ek' },
});

/** The booking of a colour for 90 €, which is a tint for 99 € by now. */
let booked: Row;
beforeAll(async () => {
  await daybook.d1
    .prepare(
      `UPDATE accounts SET email = iif(display_name = 'Ana Lima', 'ana@mail.test', 'maya@mail.test'), email_confirmed_at = 1
       WHERE display_name IN ('Ana Lima', 'Maya Ek')`,
    )
    .run();
  await ana.api('PUT', '/api/Account/SetProfile', { address: 'Rua das Flores 3' });
  booked = await bookRenamed(dayAhead(2));
});

/** Books a colour, which its provider renames then. */
async function bookRenamed(date: string) {
  const colour = await createService(ana, { name: 'Colour', minutes: 60, price: '90 €' });
  const [slot] = (await publish(ana, { end: '12:00', dates: [date] })) as [Row];
  const { json } = await maya.api('PUT', `/api/Appointment/Book?id=${slot.id}&service=${colour.id}`);
  await ana.api('PUT', `/api/Service/Edit?id=${colour.id}`, { name: `Tint on ${date}`, price: '99 €' });
  return json as Row;
}

const eventIn = (text: string) => [...readCalendar(text).events.values()][0] as CalendarEvent;

describe('what was booked is named as it was then', () => {
  test('in the mail to the booker', async () => {
    const { mail } = await mailServer.got('maya@mail.test', bookedSubject);

    expect(mail.subject).toMatch(/^Ana Lima, Colour: /);
    expect(mail.text).toContain('Your appointment for Colour with Ana Lima is on ');
  });

  test('in the mail to the provider', async () => {
    const { mail } = await mailServer.got('ana@mail.test', /^Booked: Maya Ek, Colour, /);

    expect(mail.text).toContain('Maya Ek booked Colour on ');
  });

  test('in the calendar file of the mail to the provider', async () => {
    const { mail } = await mailServer.got('ana@mail.test', /^Booked: Maya Ek, Colour, /);

    const file = mail.attachments.find(({ contentType }) => /calendar/.test(contentType));
    expect(eventIn(String(file?.content)).summary).toBe('Colour, Maya Ek');
  });

  describe.each([
    ['booker', 'Colour, Ana Lima', 'details-cancel'],
    ['provider', 'Colour, Maya Ek', 'details-provider'],
  ])('for the %s', (side, summary, screen) => {
    const reader = () => (side === 'booker' ? maya : ana);

    test('in the calendar file of the appointment', async () => {
      const { text } = await reader().browser.get(`/appointments/${booked.id}/daybook.ics`);

      expect(eventIn(text)).toMatchObject({ summary, location: 'Rua das Flores 3' });
    });

    test('in the feed of their calendar', async () => {
      const { link } = (await reader().api('POST', '/api/Account/MakeFeed')).json as { link: string };

      const { text } = await daybook.visitor().get(link);

      expect(eventIn(text)).toMatchObject({ summary, location: 'Rua das Flores 3' });
    });

    test.each(['/', '/view-booked', '/view-dash', `/week?from=${dayAhead(1)}`, '/api/Account/Export'])(
      'on %s',
      async (path) => {
        expect((await reader().browser.get(path)).text).toContain('Colour');
      },
    );

    test('on its own screen, with its price', async () => {
      expect((await reader().browser.get(`/${screen}/${booked.id}`)).words).toContain('Colour · 90 €');
    });
  });

  test('in the news of the provider', async () => {
    expect((await ana.browser.get('/news')).words).toContain('Maya Ek booked Colour on ');
  });

  test('in the table of bookings', async () => {
    const days = `from=${isoAhead(0)}&to=${isoAhead(3)}`;

    expect((await ana.browser.get(`/view-booked/bookings.csv?${days}`)).text).toContain('Colour');
  });

  test('in the news of whoever’s booking is canceled', async () => {
    const later = await bookRenamed(dayAhead(20));

    await cancel(ana, later);

    expect((await maya.browser.get('/news')).words).toContain('Ana Lima canceled the appointment for Colour on ');
  });
});
