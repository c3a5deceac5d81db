import { ensureChromium } from './chromium';

/** Before the browser tests: a Chromium is there, or they fail with what to do. */
export default function setup(): void {
  ensureChromium();
}
