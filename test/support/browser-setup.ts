import { ensureChromium } from './chromium';

/** Finds or installs Chromium before the browser tests, or fails with advice. */
export default function setup(): void {
  ensureChromium();
}
