/** The cookies of one browser that visits one site. */
export class Jar {
  private readonly cookies = new Map<string, { name: string; value: string; path: string; expires: number }>();

  /** Takes the Set-Cookie headers of an answer to a request for this path; one that has expired deletes. */
  receive(lines: string[], requestPath: string): void {
    for (const line of lines) {
      const [pair = '', ...attributes] = line.split(';').map((part) => part.trim());
      const at = pair.indexOf('=');
      const named = new Map(
        attributes.map((attribute) => {
          const [name = '', ...rest] = attribute.split('=');
          return [name.toLowerCase(), rest.join('=')] as const;
        }),
      );
      const given = named.get('path') ?? '';
      const path = given.startsWith('/') ? given : requestPath.replace(/(?!^)\/[^/]*$/, '') || '/';
      const cookie = { name: pair.slice(0, at), value: pair.slice(at + 1), path, expires: expiryOf(named) };
      const key = `${cookie.name};${path}`;
      if (cookie.expires <= Date.now()) this.cookies.delete(key);
      else this.cookies.set(key, cookie);
    }
  }

  /** The Cookie header for a request for this path; undefined without cookies. */
  header(path: string): string | undefined {
    const fitting = [...this.cookies.values()].filter(
      (cookie) => cookie.expires > Date.now() && covers(cookie.path, path),
    );
    if (fitting.length === 0) return undefined;
    const longestFirst = fitting.sort((one, other) => other.path.length - one.path.length);
    return longestFirst.map(({ name, value }) => `${name}=${value}`).join('; ');
  }

  /** The value of the cookie with this name; undefined without one. */
  get(name: string): string | undefined {
    return [...this.cookies.values()].find((cookie) => cookie.name === name && cookie.expires > Date.now())?.value;
  }

  /** Puts a cookie in as if the site had set it. */
  set(name: string, value: string): void {
    this.cookies.set(`${name};/`, { name, value, path: '/', expires: Number.POSITIVE_INFINITY });
  }

  /** Forgets everything, or the cookies with this name. */
  clear(name?: string): void {
    for (const [key, cookie] of this.cookies) if (name === undefined || cookie.name === name) this.cookies.delete(key);
  }
}

function expiryOf(attributes: Map<string, string>): number {
  const seconds = attributes.get('max-age');
  if (seconds !== undefined && /^-?\d+$/.test(seconds)) return Date.now() + Number(seconds) * 1000;
  const date = Date.parse(attributes.get('expires') ?? '');
  return Number.isNaN(date) ? Number.POSITIVE_INFINITY : date;
}

function covers(cookiePath: string, path: string): boolean {
  return path === cookiePath || path.startsWith(cookiePath.endsWith('/') ? cookiePath : `${cookiePath}/`);
}
