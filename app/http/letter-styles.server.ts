import { createHash } from 'node:crypto';
import styles from '../styles/letter.css?inline';
import address from '../styles/letter.css?url';

const link = `<link rel="stylesheet" href="${address}"/>`;

export const letterStylesSource = `'sha256-${createHash('sha256').update(styles).digest('base64')}'`;

// With its styles inside, a page needs one request to appear, also on a slow phone.
export const withLetterStyles = (page: string): string => page.replace(link, () => `<style>${styles}</style>`);
