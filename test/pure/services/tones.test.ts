import { describe, expect, test } from 'vitest';
import { toneOfService } from '../../../app/components/tones';

describe('the tone of a service', () => {
  // Their letters have the same sum, so that a tone by the name would be the same.
  const services = ['Cut', 'Tuc', 'uCt', 'tCu'];

  test('differs among the first four of a provider', () => {
    const tones = new Set(services.map((service) => toneOfService(service, services)));

    expect(tones.size).toBe(4);
  });

  test('begins again with the fifth', () => {
    const five = [...services, 'Beard'];

    expect(toneOfService('Beard', five)).toBe(toneOfService('Cut', five));
  });

  test('stays when services are added at the end', () => {
    expect(toneOfService('Tuc', [...services, 'Beard'])).toBe(toneOfService('Tuc', services));
  });

  test('is the next one for what was booked without a service', () => {
    const two = services.slice(0, 2);

    expect(two.map((service) => toneOfService(service, two))).not.toContain(toneOfService(null, two));
  });

  test('is that of the name for one that is not in the list', () => {
    expect(toneOfService('Cut', ['Beard'])).toBe(toneOfService('Tuc', []));
  });
});
