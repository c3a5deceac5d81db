import { describe, expect, test } from 'vitest';
import { dayAhead, password, peopleAt, publish } from '../../support/factories';
import { createService } from '../../support/services';
import { idOf, writeTemplate } from '../../support/template-factories';
import { useServer } from '../../support/use-server';
import { tripsOf } from '../../support/visit';

/* Where a provider is led after something is done. */

const daybook = useServer();
const { newProvider, newConsumer } = peopleAt(daybook);

const threeSteps = 'Begin: what you offer';
const share = 'main a[href="/your-page"]';

describe('the profile', () => {
  test('leads whoever has just registered as a provider to the set-up', async () => {
    const form = await daybook.visitor().visit('/register');
    const clinic = {
      username: 'clinic.of.steps',
      displayName: 'Clinic',
      role: 'Provider',
      location: 'Lisbon',
      password,
    };

    const page = await form.submit('Register', clinic);

    expect(page.path).toBe('/profile');
    expect(page.words).toContain(threeSteps);
    expect(tripsOf(page)).toBe(1);
  });

  test('leads nobody to the set-up who has published a time', async () => {
    const ana = await newProvider();
    await publish(ana);

    expect((await ana.browser.visit('/profile')).words).not.toContain(threeSteps);
  });

  test('leads no client to the set-up', async () => {
    expect((await (await newConsumer()).browser.visit('/profile')).words).not.toContain(threeSteps);
  });
});

describe('questions', () => {
  test('once saved lead to services and hours', async () => {
    const ana = await newProvider();

    const page = await ana.browser.visit('/view-templates?created=yes');

    expect(page.words).toContain('The questions are saved.');
    for (const path of ['/services', '/hours']) expect(page.$(`main a[href="${path}"]`)).not.toBeNull();
  });

  test('lead from their list to what they ask and to their change', async () => {
    const ana = await newProvider();
    const id = idOf(await writeTemplate(ana));

    const page = await ana.browser.visit('/view-templates');

    for (const path of ['details-template', 'edit-template']) {
      expect(page.$(`main li a[href="/${path}/${id}"]`)).not.toBeNull();
    }
  });

  test('that nothing asks lead to services and hours', async () => {
    const ana = await newProvider();
    const id = idOf(await writeTemplate(ana));

    const page = await ana.browser.visit(`/details-template/${id}`);

    expect(page.words).toContain('No service and no hours ask these questions yet.');
    for (const path of ['/services', '/hours']) expect(page.$(`main a[href="${path}"]`)).not.toBeNull();
  });

  test('that a service asks lead nowhere', async () => {
    const ana = await newProvider();
    const id = idOf(await writeTemplate(ana));
    await createService(ana, { templateId: id });

    const page = await ana.browser.visit(`/details-template/${id}`);

    expect(page.words).not.toContain('No service and no hours ask these questions yet.');
  });
});

describe('a day on which nothing is booked', () => {
  test('leads to the page to share where times are free', async () => {
    const ana = await newProvider();
    await publish(ana, { dates: [dayAhead(2)] });

    expect((await ana.browser.visit('/')).$(share)?.text).toBe('Share your page');
  });

  test('leads to new times where none is free', async () => {
    const page = await (await newProvider()).browser.visit('/');

    expect(page.$(share)).toBeNull();
    expect(page.$('main a[href="/create"]')).not.toBeNull();
  });
});

describe('a long form', () => {
  const saved = 'form .save-bar [role=status]';

  test('says beside its button that rules are saved', async () => {
    const ana = await newProvider();

    const page = await (await ana.browser.visit('/rules')).submit('Save rules');

    expect(page.$(saved)?.text).toBe('Your rules are saved.');
    expect(new URL(page.url).hash).toBe(`#${page.$(saved)?.id}`);
  });

  test('says beside its button what new hours did', async () => {
    const ana = await newProvider();

    const page = await (await ana.browser.visit('/hours')).submit('main button[name=press][value=save]');

    expect(page.$(saved)?.text).toMatch(/Your hours are saved. \d+ times published, 0 removed./);
    expect(new URL(page.url).hash).toBe(`#${page.$(saved)?.id}`);
  });
});
