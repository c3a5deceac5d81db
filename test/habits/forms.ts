import { type HTMLElement, parse } from 'node-html-parser';
import { more, screens } from '../support/every-route';
import { entriesOf } from '../support/forms';
import type { Chance } from './chance';
import { type Actor, type Crew, plausibleTo } from './crew';
import { formOf, hostileText, percent, queryOf } from './hostile';
import { type Drawn, headersFor } from './requests';

/* Opens a screen with a random query, and sends its form as somebody who means harm. */

const asked = 'page q from date dates location provider to month step name username past'.split(' ');
const shown = 'booked moved canceled created id intent _data index start end len day key'.split(' ');

/** The address of a screen; seldom of a missing one. */
function addressOf(chance: Chance, { world }: Crew): string {
  const [pattern, , where] = chance.of([...screens, ...more]);
  if (!chance.is(0.06)) return where(world);
  return pattern.replaceAll(/:\w+\??/g, () => percent(hostileText(chance)).slice(0, 3_000) || 'x');
}

/** A visit of any screen. */
export function drawVisit(chance: Chance, crew: Crew, actor: Actor): Drawn {
  const plausible = plausibleTo(crew, chance);
  const names = chance.is(0.25)
    ? Array.from({ length: 1 + chance.below(3) }, () => chance.of([...asked, ...shown]))
    : [];
  const pairs = names.map((name): [string, string] => {
    const known = [plausible(name)].flat().join(' ');
    return [name, known !== '' && chance.is(0.4) ? known : hostileText(chance)];
  });
  const path = addressOf(chance, crew) + queryOf(chance, pairs);
  return drawnFor(chance, actor, chance.is(0.03) ? 'HEAD' : 'GET', path);
}

const drawnFor = (
  chance: Chance,
  actor: Actor,
  method: string,
  path: string,
  own: Record<string, string> = {},
): Drawn => ({
  actor,
  method,
  path,
  headers: { accept: 'text/html', ...own, ...headersFor(chance, actor, path) },
});

const types = ['application/json', 'text/plain', 'multipart/form-data; boundary=x', 'multipart/form-data', ''];

/** A filled-in form of this page, sent by any of its buttons; undefined without a form. */
export function drawForm(chance: Chance, crew: Crew, actor: Actor, html: string, from: string): Drawn | undefined {
  const root = parse(html, { blockTextElements: { script: true, style: true } });
  // Not the forms on every page, such as the one that logs out.
  const inMain = root.querySelectorAll('main form');
  const forms = inMain.length > 0 && !chance.is(0.03) ? inMain : root.querySelectorAll('form');
  if (forms.length === 0) return undefined;
  const form = chance.of(forms);
  const buttons = form.querySelectorAll('button').filter((one) => !one.hasAttribute('disabled'));
  const button = buttons.length > 0 && !chance.is(0.05) ? chance.of(buttons) : undefined;
  const pairs = entriesFrom(chance, crew, entriesOf(root, form, button, {}));
  const said = (name: string) => button?.getAttribute(`form${name}`) ?? form.getAttribute(name);
  const action = new URL(said('action') || from, new URL(from, actor.browser.url));
  if (said('method')?.toLowerCase() !== 'post')
    return drawnFor(chance, actor, 'GET', action.pathname + queryOf(chance, pairs));
  const type = chance.is(0.03) ? chance.of(types) : 'application/x-www-form-urlencoded';
  const own = { origin: actor.browser.url, ...(type && { 'content-type': type }) };
  const drawn = drawnFor(chance, actor, 'POST', action.pathname + action.search, own);
  return { ...drawn, body: Buffer.from(formOf(chance, pairs)) };
}

function entriesFrom(chance: Chance, crew: Crew, entries: [string, string][]): [string, string][] {
  const plausible = plausibleTo(crew, chance);
  const harm = chance.of([0, 0.05, 0.1, 0.3]);
  const sent = entries.flatMap(([name, value]): [string, string][] => {
    if (chance.is(harm)) return [[name, hostileText(chance)]];
    if (chance.is(harm / 4)) return [];
    const twice = chance.is(harm / 4) ? [[name, chance.is(0.5) ? value : hostileText(chance)] as [string, string]] : [];
    if (value !== '') return [[name, value], ...twice];
    const known = plausible(name);
    return [[name, known === undefined ? (chance.is(0.5) ? 'Words' : '') : [known].flat().join(' ')]];
  });
  if (chance.is(0.02)) for (let many = 0; many < 3_000; many++) sent.push([`field-${many}`, 'x']);
  if (chance.is(0.04)) sent.push([hostileText(chance).slice(0, 300), hostileText(chance)]);
  return sent;
}

/** Finds an element with the hostile name or attribute, as a browser would. */
export function hasMarked(html: string): HTMLElement | null {
  return parse(html, { blockTextElements: { script: true, style: true } }).querySelector('fzmark, [fzattr]');
}
