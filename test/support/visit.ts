import { type HTMLElement, parse } from 'node-html-parser';
import { exchange } from './exchange';
import { bySelector, entriesOf, type Fields, findForm, words } from './forms';
import { Jar } from './jar';
import { contradictions } from './openapi';

export type { Fields } from './forms';

/** Request headers; null removes one. */
export type Sent = Record<string, string | null>;
export type PlainResponse = { status: number; url: string; headers: Headers; text: string };
export type ApiResponse = { status: number; json: unknown; headers: Headers; text: string };

type Body = Record<string, string | string[]> | URLSearchParams;
type Navigation = { method: string; url: URL; body?: URLSearchParams; from?: string; sent?: Sent };

const hops = 5;
/** In milliseconds: after this no response will come, and the test should name the request. */
const patience = 50_000;

/** A page in a browser with scripts off. */
export class Page {
  readonly status: number;
  readonly url: string;
  readonly headers: Headers;
  readonly text: string;
  private parsed: HTMLElement | undefined;

  constructor(
    readonly reader: Visitor,
    { status, url, headers, text }: PlainResponse,
  ) {
    this.status = status;
    this.url = url;
    this.headers = headers;
    this.text = text;
  }

  get root(): HTMLElement {
    this.parsed ??= parse(this.text, { blockTextElements: { script: true, style: true } });
    return this.parsed;
  }

  /** Path and query of this page. */
  get path(): string {
    const { pathname, search } = new URL(this.url);
    return pathname + search;
  }

  /** The target of a redirect; null for any other answer. */
  get location(): string | null {
    return this.headers.get('location');
  }

  /** The words on the page, without mark-up. */
  get words(): string {
    const body = parse((this.root.querySelector('body') ?? this.root).outerHTML);
    for (const hidden of body.querySelectorAll('script, style, template')) hidden.remove();
    return words(body.structuredText);
  }

  $(selector: string): HTMLElement | null {
    return this.root.querySelector(selector);
  }

  $$(selector: string): HTMLElement[] {
    return this.root.querySelectorAll(selector);
  }

  /**
   * Fills in a form of this page, sends it and follows the redirects. `target` is the words of a button, or a selector
   * of a button or form.
   * @throws Error if a person couldn't do that
   */
  submit(target: string, fields: Fields = {}): Promise<Page> {
    const { form, button } = findForm(this.root, target);
    const attribute = (name: string) => button?.getAttribute(`form${name}`) ?? form.getAttribute(name);
    if (attribute('enctype')?.startsWith('multipart')) throw new Error('Forms with files are not supported.');
    const url = new URL(attribute('action') || this.url, this.url);
    const body = new URLSearchParams(entriesOf(this.root, form, button, fields));
    const from = this.url;
    if (attribute('method')?.toLowerCase() === 'post') return this.reader.open({ method: 'POST', url, body, from });
    url.search = body.toString();
    return this.reader.open({ method: 'GET', url, from });
  }

  /** Follows a link, named by its words or a selector. */
  click(target: string): Promise<Page> {
    const named = this.$$('a[href]').filter((link) => words(link.text) === target);
    if (named.length > 1) throw new Error(`${named.length} links say "${target}": name one by a selector.`);
    const href = (named[0] ?? bySelector(this.root, target))?.getAttribute('href');
    if (href === undefined) throw new Error(`No link says "${target}" and no selector finds one.`);
    return this.reader.open({ method: 'GET', url: new URL(href, this.url), from: this.url });
  }
}

/** One browser, with its own cookies and with scripts off, at the door of a served Daybook. */
export class Visitor {
  readonly cookies = new Jar();
  /** Sent with every request, such as a User-Agent. */
  readonly headers: Sent = {};

  constructor(readonly url: string) {}

  /** Opens an address as if it were typed in, and does not follow redirects. */
  get(path: string, sent?: Sent): Promise<Page> {
    return this.navigate({ method: 'GET', url: new URL(path, this.url), sent });
  }

  /** Opens an address as if it were typed in, and follows its redirects. */
  visit(path: string): Promise<Page> {
    return this.open({ method: 'GET', url: new URL(path, this.url) });
  }

  /** Sends a form's request, and does not follow redirects. */
  post(path: string, body?: Body, sent?: Sent): Promise<Page> {
    return this.send('POST', path, body, sent);
  }

  put(path: string, body?: Body, sent?: Sent): Promise<Page> {
    return this.send('PUT', path, body, sent);
  }

  /**
   * Calls the API like a program: JSON both ways, cookies, and none of a browser's own headers.
   * @throws Error if the response contradicts the OpenAPI document
   */
  async api(method: string, path: string, body?: unknown, sent: Sent = {}): Promise<ApiResponse> {
    const file = body instanceof Blob ? body : undefined;
    const payload = file ? await file.text() : body === undefined ? undefined : JSON.stringify(body);
    const type: Sent = payload === undefined ? {} : { 'content-type': file?.type ?? 'application/json' };
    const headers = { accept: 'application/json', ...type, ...sent };
    const plain = await this.exchange(method, new URL(path, this.url), headers, payload);
    const isJson = plain.headers.get('content-type')?.includes('json') && plain.text !== '';
    const withJson = { ...plain, json: isJson ? JSON.parse(plain.text) : undefined };
    const wrong = contradictions(method, new URL(plain.url).pathname, withJson);
    if (isJson && plain.text.includes('<')) wrong.push('its JSON holds a tag');
    if (wrong.length > 0) {
      throw new Error(`${method} ${path} answers otherwise than documented: ${wrong.join('; ')}\n${plain.text}`);
    }
    return withJson;
  }

  /** Opens an address from a page, and follows redirects like a browser, with GET. */
  async open(navigation: Navigation): Promise<Page> {
    let page = await this.navigate(navigation);
    for (let hop = 0; [301, 302, 303].includes(page.status); hop++) {
      const url = new URL(page.location ?? '', page.url);
      if (hop === hops) throw new Error(`Redirected more than ${hops} times, at last to ${url}`);
      if (url.origin !== new URL(this.url).origin) throw new Error(`Redirected to another site: ${url}`);
      page = await this.navigate({ method: 'GET', url, from: navigation.from });
    }
    return page;
  }

  private send(method: string, path: string, body: Body = {}, sent?: Sent): Promise<Page> {
    const pairs = Object.entries(body).flatMap(([name, value]) => [value].flat().map((one) => [name, one]));
    const url = new URL(path, this.url);
    const form = body instanceof URLSearchParams ? body : new URLSearchParams(pairs);
    return this.navigate({ method, url, body: form, from: this.url, sent });
  }

  private async navigate({ method, url, body, from, sent }: Navigation): Promise<Page> {
    const headers: Sent = {
      accept: 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8',
      'sec-fetch-dest': 'document',
      'sec-fetch-mode': 'navigate',
      'sec-fetch-site': from === undefined ? 'none' : 'same-origin',
      'sec-fetch-user': '?1',
      ...(from !== undefined && { referer: from }),
      ...(method !== 'GET' && { origin: new URL(this.url).origin }),
      ...(body && { 'content-type': 'application/x-www-form-urlencoded' }),
      ...sent,
    };
    return new Page(this, await this.exchange(method, url, headers, body?.toString()));
  }

  private async exchange(method: string, url: URL, sent: Sent, body: string | undefined): Promise<PlainResponse> {
    const cookie = this.cookies.header(url.pathname) ?? null;
    const length = body === undefined ? null : String(Buffer.byteLength(body));
    const headers: Record<string, string> = {};
    const all = { cookie, 'content-length': length, ...this.headers, ...sent };
    for (const [name, value] of Object.entries(all)) {
      if (value === null) delete headers[name.toLowerCase()];
      else headers[name.toLowerCase()] = value;
    }
    const { status, setCookies, headers: received, text } = await exchange(url, { method, headers, body, patience });
    this.cookies.receive(setCookies, url.pathname);
    return { status, url: url.href, headers: received, text };
  }
}

/** A browser that nobody has used yet. */
export function visitor(url: string): Visitor {
  return new Visitor(url);
}

/** The heading of a page. */
export const titleOf = (page: Page) => words(page.$('h1')?.text);
/** The value of a field of a page, and those of all fields of a name. */
export const typedIn = (page: Page, name: string) => valuesOf(page, name)[0] ?? '';
export const valuesOf = (page: Page, name: string) =>
  page.$$(`main [name="${name}"]`).map((field) => field.getAttribute('value') ?? '');
/** What a page says of itself in its head. */
export const contentOf = (page: Page, meta: string) => page.$(`meta[${meta}]`)?.getAttribute('content') ?? '';
/** The ids of the times on a provider's page. */
export const timesOn = (page: Page) => page.$$('.slots a').map((link) => link.getAttribute('href')?.split('/').at(-1));

/** The round trips of one response, and its rows as D1 counts and bills them. */
export type Asked = { trips: number; read: number; written: number };

/** @throws Error if the server was not started with TIMING=on */
export function askedOf(headers: Headers): Asked {
  const timing = headers.get('server-timing') ?? '';
  const [, trips, read, written] = /trips=(\d+) statements=\d+ rows_read=(\d+) rows_written=(\d+)/.exec(timing) ?? [];
  if (trips === undefined) throw new Error('The response has no figures of D1: TIMING is not on.');
  return { trips: Number(trips), read: Number(read), written: Number(written) };
}

export const tripsOf = ({ headers }: { headers: Headers }): number => askedOf(headers).trips;
