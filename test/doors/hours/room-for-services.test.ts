import { describe, expect, test } from 'vitest';
import { type Person, peopleAt } from '../../support/factories';
import { everyDay } from '../../support/plain-hours';
import { createService } from '../../support/services';
import { useServer } from '../../support/use-server';
import { tripsOf, typedIn } from '../../support/visit';

/* What a day of hours has room for, said on /hours with scripts off. */

const daybook = useServer();
const { newProvider } = peopleAt(daybook);

/** A provider of a cut of 30 minutes and a visit of 45. */
async function practice(): Promise<Person> {
  const ana = await newProvider();
  await createService(ana, { name: 'Cut', minutes: 30 });
  await createService(ana, { name: 'Visit', minutes: 45 });
  return ana;
}

/** The same, with hours from nine to five whose starts are so many minutes apart. */
async function practiceWith(len: number): Promise<Person> {
  const ana = await practice();
  await ana.api('PUT', '/api/Appointment/SetHours', { hours: everyDay('09:00', '17:00'), len, ahead: 7 });
  return ana;
}

const loss = 'Visit, 45 minutes: 8 fit on a Sunday, 2 fewer than with starts every 15 minutes.';

describe('the step of starts', () => {
  test('is first the one that the services need', async () => {
    const ana = await practice();

    const page = await ana.browser.visit('/hours?start=yes');

    expect(typedIn(page, 'len')).toBe('15');
    expect(page.words).toContain('Starts every … minutes');
  });

  test('is the length of a time where there are no services', async () => {
    const page = await (await newProvider()).browser.visit('/hours');

    expect(typedIn(page, 'len')).toBe('30');
    expect(page.words).toContain('Length in minutes');
  });

  test('stays as it was saved', async () => {
    const ana = await practiceWith(30);

    expect(typedIn(await ana.browser.visit('/hours'), 'len')).toBe('30');
  });

  test('is said to lose visits beside the saved hours', async () => {
    const ana = await practiceWith(30);

    const page = await ana.browser.visit('/hours');

    expect(page.words).toContain(loss);
    expect(tripsOf(page)).toBe(1);
  });

  test('that loses nothing is said only before it is saved', async () => {
    const ana = await practiceWith(15);
    const page = await ana.browser.visit('/hours');

    expect(page.words).not.toContain('Visit, 45 minutes');
    expect((await page.submit('Show what changes')).words).toContain('Visit, 45 minutes: 10 fit on a Sunday.');
  });

  test('is said to lose visits before it is saved', async () => {
    const ana = await practice();
    const page = await ana.browser.visit('/hours');

    const preview = await page.submit('Show what changes', { len: '30' });

    expect(preview.words).toContain('Cut, 30 minutes: 16 fit on a Monday.');
    expect(preview.words).toContain(loss.replace('Sunday', 'Monday'));
  });

  test('changes by one press, which shows what changes', async () => {
    const ana = await practiceWith(30);

    const preview = await (await ana.browser.visit('/hours')).submit('Start every 15 minutes');

    expect(typedIn(preview, 'len')).toBe('15');
    expect(preview.words).toContain('What will change');
    expect(preview.words).toContain('Visit, 45 minutes: 10 fit on a Sunday.');
  });

  test('that a press chose is saved', async () => {
    const ana = await practiceWith(30);
    const preview = await (await ana.browser.visit('/hours')).submit('Start every 15 minutes');

    await preview.submit('Save these hours');

    expect((await ana.api('GET', '/api/Appointment/GetHours')).json).toMatchObject({ len: 15 });
  });
});

test('a day has as many visits as people can book one after the other', async () => {
  const ana = await newProvider();
  const { id } = await createService(ana, { name: 'Visit', minutes: 45, gap: 5 });
  await createService(ana, { name: 'Cut', minutes: 20 });
  await ana.api('PUT', '/api/Appointment/SetHours', { hours: [{ day: 1, start: '09:00', end: '17:00' }], len: 20 });

  const said = (await ana.browser.visit('/hours')).words.match(/Visit, 45 minutes: (\d+) fit on a Monday/)?.[1];

  let booked = 0;
  for (let next = '00:00'; next; ) {
    const { json } = await ana.api('GET', `/api/Public/Times?provider=${ana.username}&service=${id}`);
    const [first, ...times] = json as { id: string; date: string; startTime: string }[];
    const taken = [first, ...times].find((time) => time?.date === first?.date && time && time.startTime >= next);
    if (!taken) break;
    const guest = { id: taken.id, service: id, displayName: 'Gus' };
    if ((await daybook.visitor().api('POST', '/api/Public/Book', guest)).status > 201) break;
    booked += 1;
    next = taken.startTime;
  }
  expect(booked).toBe(Number(said));
});
