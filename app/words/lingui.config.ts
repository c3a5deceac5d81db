import { defineConfig } from '@lingui/conf';
import { formatter } from '@lingui/format-po';

/** Where `npm run words` finds what people read, and the list of each language. English is in the code. */
export default defineConfig({
  rootDir: new URL('../..', import.meta.url).pathname,
  sourceLocale: 'en',
  locales: ['en', 'de', 'fr', 'pt', 'es', 'ar'],
  catalogs: [{ path: '<rootDir>/app/words/{locale}', include: ['<rootDir>/app'] }],
  format: formatter({ lineNumbers: false, explicitIdAsDefault: true }),
  orderBy: 'origin',
});
