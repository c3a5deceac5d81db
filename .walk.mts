import { createServer } from 'node:http';
import { launchChromium } from './test/support/chromium';
const B = 'http://localhost:8931';
const browser: any = await launchChromium();
const g: any = globalThis;
g.browser = browser; g.B = B; g.S = {};
g.ctx = async (js = true, width = 1280, extra: any = {}) => {
  const c = await browser.newContext({ viewport: { width, height: 900 }, javaScriptEnabled: js, locale: 'en-GB', timezoneId: 'Europe/Lisbon', acceptDownloads: true, ...extra });
  const p = await c.newPage(); p.setDefaultTimeout(8000); p.setDefaultNavigationTimeout(20000);
  p.errs = []; p.on('pageerror', (e: any) => p.errs.push('pageerror ' + e.message)); p.on('console', (m: any) => m.type() === 'error' && p.errs.push(m.text()));
  p.js = js;
  return p;
};
g.go = async (p: any, path: string) => {
  const r = await p.goto(path.startsWith('http') ? path : B + path).catch((e: any) => ({ status: () => e.message }));
  if (p.js) await p.waitForTimeout(700);
  return r?.status();
};
g.txt = async (p: any, sel = 'main', n = 3000) => { const s = await p.evaluate((sel: string) => { const e = document.querySelector(sel) ?? document.body; return (e as any).innerText; }, sel); return s.replace(/\n\s*\n+/g, '\n').slice(0, n); };
g.login = async (p: any, u: string, pw = 'Sunflower-42') => {
  await g.go(p, '/login'); await p.fill('input[name=username]', u); await p.fill('input[name=password]', pw);
  await g.press(p, 'main button:has-text("Log in")'); return p.url();
};
g.press = async (p: any, sel: string) => {
  const l = typeof sel === 'string' ? p.locator(sel).first() : sel;
  const before = p.url();
  await l.click();
  await p.waitForTimeout(p.js ? 1500 : 300);
  await p.waitForLoadState('load').catch(() => {});
  return p.url();
};
g.api = async (p: any, method: string, path: string, data?: any) => {
  const r = await p.context().request.fetch(B + '/api/' + path, { method, data, headers: { origin: B, ...(data ? { 'content-type': 'application/json' } : {}) } });
  const t = await r.text(); let b; try { b = JSON.parse(t); } catch { b = t.slice(0, 500); }
  return { s: r.status(), b };
};
g.shot = async (p: any, name: string) => { await p.screenshot({ path: `/tmp/w-${name}.png`, fullPage: true }); return p.evaluate(() => [document.documentElement.scrollWidth, innerWidth]); };
const AF = Object.getPrototypeOf(async function () {}).constructor;
createServer(async (q, s) => {
  let code = ''; for await (const c of q) code += c;
  const out: string[] = []; g.say = (...a: any[]) => out.push(a.map((x) => (typeof x === 'string' ? x : JSON.stringify(x))).join(' '));
  try { const r = await new AF(code)(); if (r !== undefined) g.say(r); } catch (e: any) { g.say('!!', e.stack?.slice(0, 1500)); }
  s.end(out.join('\n') + '\n');
}).listen(8977);
console.log('ready', process.pid);
