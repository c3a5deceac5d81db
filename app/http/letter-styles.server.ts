import { createHash } from 'node:crypto';
import styles from '../styles/letter.css?inline';
import address from '../styles/letter.css?url';

const link = `<link rel="stylesheet" href="${address}"/>`;

/** The source by which the content-security policy allows these styles and no others. */
export const letterStylesSource = `'sha256-${createHash('sha256').update(styles).digest('base64')}'`;

/** Puts the styles of a letter into its page, so that a slow phone paints it after one request. */
export const withLetterStyles = (page: string): string => page.replace(link, () => `<style>${styles}</style>`);
