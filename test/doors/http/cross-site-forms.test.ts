import { beforeAll, expect, test } from 'vitest';
import { isFile, makeRouteWorld, more, type RouteWorld, screens } from '../../support/every-route';
import { password } from '../../support/factories';
import { useServer } from '../../support/use-server';
import { askedOf, type Sent } from '../../support/visit';

/*
 * A page of another site can send each form of ours with the cookies of whoever looks at it. Browsers say so, and nothing is
 * done, whoever it is.
 */

const daybook = useServer();

let world: RouteWorld;
beforeAll(async () => {
  world = await makeRouteWorld(daybook);
});

const elsewhere: Sent[] = [
  { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' },
  { 'sec-fetch-site': 'same-site', origin: 'https://shop.daybook.example' },
  { 'sec-fetch-site': null, origin: 'https://evil.example', 'x-forwarded-host': 'evil.example' },
  { 'sec-fetch-site': 'cross-site', 'content-type': 'text/plain' },
  { 'sec-fetch-site': 'cross-site', 'content-type': 'multipart/form-data; boundary=part' },
  // A frame that hides where it is.
  { 'sec-fetch-site': null, origin: 'null' },
];

/** What some form of ours takes, and each says what it would do. */
const intents: Record<string, string>[] = [
  { intent: 'cancel', reason: 'Evil' },
  { intent: 'answers' },
  { intent: 'seen' },
  { intent: 'profile', displayName: 'Mallory', timeZone: 'UTC', location: 'Atlantis' },
  { intent: 'everywhere' },
  { accepted: 'false' },
  { username: 'mallory', displayName: 'Mallory', password, role: 'Consumer', timeZone: 'UTC' },
  { email: 'mallory@example.com', password },
];

const forms = [...screens, ...more].filter(([path]) => !isFile(path));
test.each(forms)('a form that a page of another site sends to %s does nothing', async (path, _, pathOf) => {
  const place = forms.findIndex(([one]) => one === path);
  // Each is sent in another way. What is refused is refused before anybody looks into it, or into the book.
  const [sent, typed] = [elsewhere[place % elsewhere.length], intents[place % intents.length]];
  for (const reader of [world.consumer, world.provider]) {
    const page = await reader.browser.post(pathOf(world), typed, sent);
    expect([sent, page.status, askedOf(page.headers).written]).toEqual([sent, 403, 0]);
    // The bookmark of what they did before may come along.
    expect(page.headers.get('set-cookie') ?? '').not.toMatch(/daybook(?!-seen)/);
  }
});
