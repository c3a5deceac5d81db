import { expect, test } from 'vitest';
import { registerProvider } from '../support/factories';
import { useServer } from '../support/use-server';
import { browsersAt, phone, press, see, takenOver } from './browser';

/* The button that shows what changed hours would do is far below what it shows. */

const served = useServer();
const { open } = browsersAt(served);

for (const script of [true, false]) {
  test(`the reader of changed hours is led to what they would do, ${script ? 'with' : 'without'} script`, async () => {
    const page = await open({ script, viewport: phone, as: await registerProvider(served) });
    await page.goto('/hours');
    if (script) await takenOver(page);
    for (const from of ['08:00', '07:00']) {
      await page.getByLabel('Monday, from').fill(from);
      await press(page, 'Show what changes');
      await see(page, 'What will change');
      const heading = page.getByRole('heading', { name: 'What will change' });
      const isFocused = () => heading.evaluate((element) => element === document.activeElement);
      await expect.poll(isFocused).toBe(true);
      const { y = -1 } = (await heading.boundingBox()) ?? {};
      expect([y >= 0, y < phone.height]).toEqual([true, true]);
      if (script) await page.getByLabel('Notes').focus();
    }
  });
}
