import { expect, test } from 'vitest';
import { expectConsoleError } from '../support/console';
import { dayAhead, publish } from '../support/factories';
import { createService } from '../support/services';
import { useServer, useWorld } from '../support/use-server';
import { browsersAt, press, see, takenOver } from './browser';

/* A service that its provider changes under an open form. */

const served = useServer();
const { karla, maya } = useWorld(served, { karla: {}, maya: {} });
const { open } = browsersAt(served);

test.each([true, false])(
  'a form shows the new length of a service before it books, with scripts: %s',
  async (script) => {
    expectConsoleError(/400/);
    const service = await createService(karla, { minutes: 60 });
    const [slot] = await publish(karla, { end: '12:00', dates: [dayAhead(script ? 2 : 3)] });
    const page = await open({ as: maya, script });
    await page.goto(`/details/${slot?.id}?service=${service.id}`);
    if (script) await takenOver(page);
    await karla.api('PUT', `/api/Service/Edit?id=${service.id}`, { minutes: 30 });
    await press(page, 'Book this appointment');
    await see(page, 'This service takes longer or shorter now. Please look at the time again.');
    expect(await page.locator('input[name=minutes]').inputValue()).toBe('30');
    await press(page, 'Book this appointment');
    await see(page, 'Booked:');
  },
);
