import { describe, expect, test } from 'vitest';
import { complaints } from '../../support/complaints';
import { type Person, peopleAt } from '../../support/factories';
import { useServer } from '../../support/use-server';

const daybook = useServer();
const { newProvider, newConsumer } = peopleAt(daybook);

const setReminders = (who: Person, reminders: unknown) => who.api('PUT', '/api/Account/SetReminders', { reminders });
const getReminders = async (who: Person) => (await who.api('GET', '/api/Account/GetReminders')).json;

describe('when people are reminded', () => {
  test('is a day before, until the provider chooses up to three other times, or none', async () => {
    const host = await newProvider();
    expect(await getReminders(host)).toEqual({ reminders: [1440] });
    for (const _ of ['once', 'twice']) {
      const answer = await setReminders(host, [60, 20_160, 1440, 60]);
      expect([answer.status, answer.json]).toEqual([200, { reminders: [20_160, 1440, 60] }]);
    }
    expect((await setReminders(host, undefined)).json).toEqual({ reminders: [20_160, 1440, 60] });
    expect((await setReminders(host, [])).json).toEqual({ reminders: [] });
  });

  test.each([[[59]], [[20_161]], [[60, 61, 62, 63]], [['soon']], [[90.5]], [[null]], ['60'], [null]])(
    'is not %j, which changes nothing',
    async (reminders) => {
      const host = await newProvider();
      expect(complaints(await setReminders(host, reminders))).toHaveLength(1);
      expect(await getReminders(host)).toEqual({ reminders: [1440] });
    },
  );

  test('is for providers, each for themselves', async () => {
    const [host, rival, consumer] = [await newProvider(), await newProvider(), await newConsumer()];
    await setReminders(rival, [60]);
    expect(await getReminders(host)).toEqual({ reminders: [1440] });
    expect((await setReminders(consumer, [60])).status).toBe(403);
    expect((await daybook.visitor().api('PUT', '/api/Account/SetReminders', { reminders: [60] })).status).toBe(401);
  });

  test('is chosen on the page of the rules, and stays chosen where something is wrong', async () => {
    const host = await newProvider();
    const page = await host.browser.visit('/rules');
    const chosen = (shown: typeof page) =>
      shown.$$('[name=reminders][checked]').map((box) => box.getAttribute('value'));
    expect(chosen(page)).toEqual(['1440']);
    const saved = await page.submit('Save rules', { reminders: ['60', '2880'] });
    expect([saved.words.includes('Your rules are saved.'), chosen(saved)]).toEqual([true, ['60', '2880']]);
    const wrong = await saved.submit('Save rules', { reminders: ['60', '120', '240', '720'] });
    expect([wrong.status, chosen(wrong)]).toEqual([400, ['60', '120', '240', '720']]);
    expect(wrong.words).toContain('Choose at most 3 reminders');
    expect((await saved.submit('Save rules', { reminders: [] })).words).toContain('Your rules are saved.');
    expect(await getReminders(host)).toEqual({ reminders: [] });
  });
});
