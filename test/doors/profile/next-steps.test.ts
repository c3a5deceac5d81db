import { describe, expect, test } from 'vitest';
import { dayAhead, password, peopleAt, publish } from '../../support/factories';
import { createService } from '../../support/services';
import { idOf, writeTemplate } from '../../support/template-factories';
import { useServer } from '../../support/use-server';
import { tripsOf } from '../../support/visit';

/* Where a provider is led after something is done. */

const daybook = useServer();
const { newProvider, newConsumer } = peopleAt(daybook);

const threeSteps = 'Three steps to your page';
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

  test('leads whoever has just registered by one main button', async () => {
    const page = await (await newProvider()).browser.visit('/profile');

    expect(page.$$('main .bg-accent:not(form *)').map(({ text }) => text)).toEqual(['Set up your page']);
  });

  test('leads no client to the set-up', async () => {
    expect((await (await newConsumer()).browser.visit('/profile')).words).not.toContain(threeSteps);
  });
});

describe('the set-up', () => {
  const where = 'Where people find you';

  test('asks for an address and a phone number where there is none', async () => {
    const page = await (await newProvider()).browser.visit('/your-page?start=yes');

    const saved = await page.submit('Put it on your page', { address: 'Rua da Bica 12', phone: '+351 21 555 01 20' });

    expect(saved.words).toContain('Rua da Bica 12 · +351 21 555 01 20');
    expect(saved.words).toContain('3. Your page');
    expect(saved.words).not.toContain(where);
  });

  test('leaves the one that it doesn’t ask for as it is', async () => {
    const ana = await newProvider();
    const page = await ana.browser.visit('/your-page');
    const first = await page.submit('Put it on your page', { address: 'Rua da Bica 12' });

    const both = await first.submit('Put it on your page', { phone: '+351 21 555 01 20' });

    expect(both.words).toContain('Rua da Bica 12 · +351 21 555 01 20');
  });
});

describe('registration', () => {
  test('asks for the role before anything else', async () => {
    const page = await daybook.visitor().visit('/register');

    expect(page.$('main form input:not([type=hidden])')?.getAttribute('name')).toBe('role');
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

test('hours have Save as their one main button', async () => {
  const page = await (await newProvider()).browser.visit('/hours');

  expect(page.$$('main button.bg-accent').map(({ text }) => text)).toEqual(['Save']);
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
