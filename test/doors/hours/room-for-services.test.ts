import { describe, expect, test } from 'vitest';
import { dayAhead, type Person, peopleAt, type Row } from '../../support/factories';
import { everyDay } from '../../support/plain-hours';
import { createService } from '../../support/services';
import { useServer } from '../../support/use-server';
import { tripsOf, typedIn } from '../../support/visit';

/* What a day of hours has room for, said on /hours with scripts off. */

const daybook = useServer();
const { newProvider, newConsumer } = peopleAt(daybook);

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
  await hoursOf(ana, { len });
  return ana;
}

/** The screen of hours from nine to five on each day. */
async function hoursOf(who: Person, more: object) {
  await who.api('PUT', '/api/Appointment/SetHours', { hours: everyDay('09:00', '17:00'), ahead: 7, ...more });
  return who.browser.visit('/hours');
}

/** The times at which a service can begin on one day. */
async function timesOf(who: Person, { id }: { id: string }): Promise<Row[]> {
  const query = `provider=${who.username}&service=${id}&dates=${dayAhead(5)}`;
  return (await daybook.visitor().api('GET', `/api/Public/Times?${query}`)).json as Row[];
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

    expect(page.words).not.toContain('fit on a Sunday');
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

test('a day has as many visits as can be booked one after the other', async () => {
  const ana = await newProvider();
  const maya = await newConsumer();
  const visit = await createService(ana, { name: 'Visit', minutes: 45, gap: 5 });
  await createService(ana, { name: 'Cut', minutes: 20 });
  const { words } = await hoursOf(ana, { len: 20, ahead: 7 });

  let visits = 0;
  for (let [next] = await timesOf(ana, visit); next; [next] = await timesOf(ana, visit)) {
    const booked = await maya.api('PUT', `/api/Appointment/Book?id=${next.id}&service=${visit.id}`);
    expect(booked.status).toBe(200);
    visits += 1;
  }

  expect(words).toContain(`Visit, 45 minutes: ${visits} fit on a`);
});
