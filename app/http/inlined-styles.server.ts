import { createHash } from 'node:crypto';
import framed from '../styles/framed.css?inline';
import framedAddress from '../styles/framed.css?url';
import landing from '../styles/landing.css?inline';
import landingAddress from '../styles/landing.css?url';
import letter from '../styles/letter.css?inline';
import letterAddress from '../styles/letter.css?url';

const sheets = [
  { address: letterAddress, styles: letter },
  { address: landingAddress, styles: landing },
  { address: framedAddress, styles: framed },
].map(({ address, styles }) => ({
  link: `<link rel="stylesheet" href="${address}"/>`,
  // The name of the tool is in the files, and need not be in each letter.
  styles: styles.replace(/^\/\*!.*?\*\//, ''),
}));

const sourceOf = (styles: string) => `'sha256-${createHash('sha256').update(styles).digest('base64')}'`;

export const inlinedStylesSources = sheets.map(({ styles }) => sourceOf(styles)).join(' ');

/** With its styles inside, a letter or the first page needs one request to appear, also on a slow phone. */
export const withInlinedStyles = (page: string): string =>
  sheets.reduce((text, { link, styles }) => text.replace(link, () => `<style>${styles}</style>`), page);
