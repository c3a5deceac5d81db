import type { Page } from 'playwright-core';

/** Prints a page, and counts the sheets and their sizes in points. Chromium writes both into its files as plain text. */
export async function pagesOf(page: Page, paper: { format: 'A4' | 'Letter'; landscape?: boolean }) {
  const pdf = (await page.pdf({ ...paper, preferCSSPageSize: true })).toString('latin1');
  const count = pdf.match(/\/Type \/Page\b/g)?.length ?? 0;
  const boxes = [...pdf.matchAll(/\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/g)];
  return {
    count,
    sizes: boxes.map(([, width, height]) => `${Math.round(Number(width))}x${Math.round(Number(height))}`),
  };
}
