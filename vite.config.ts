import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
// Not from the package itself, which also loads Remix's older compiler: two seconds.
import { remixVitePlugin as remix } from '@remix-run/dev/dist/vite/plugin.js';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig } from 'vite';
import { catalogFiles, messageMacros, messagesOfChunks } from './app/local/macros';
import { version } from './package.json';

declare module '@remix-run/cloudflare' {
  interface Future {
    v3_singleFetch: false;
  }
}

/** What /api/health tells: the version, and the migration that the code was written for. */
const release = {
  version,
  migration: readdirSync('migrations')
    .filter((name) => name.endsWith('.sql'))
    .sort()
    .at(-1),
};

/** What nearly every screen loads. */
const common = [
  ...[
    'paths',
    'components/Button',
    'components/Card',
    'components/Face',
    'components/Fold',
    'components/Pager',
    'components/Trans',
  ],
  ...[
    'ErrorPage',
    'Icon',
    'Page',
    'Sidebar',
    'book-paths',
    'destination',
    'drafts',
    'following',
    'menu',
    'messages',
    'nonce',
  ].map((name) => `components/frame/${name}`),
  ...['page-language', 'script', 'shell', 'start-on-touch', 'storage', 'titled'].map(
    (name) => `components/frame/${name}`,
  ),
  ...['ErrorSummary', 'Field', 'Form', 'controls', 'refusal', 'unsaved-form'].map((name) => `components/forms/${name}`),
  ...['english-date', 'i18n', 'isolated', 'joined', 'languages', 'packed-messages', 'region', 'worded', 'words'].map(
    (name) => `domain/words/${name}`,
  ),
  ...['components/words', 'domain/input/limits', 'domain/profile/former', 'domain/time/clock'],
].map((name) => {
  const file = ['.ts', '.tsx'].map((ending) => join(import.meta.dirname, 'app', name + ending)).find(existsSync);
  if (!file) throw new Error(`There is no app/${name} any more: name what nearly every screen loads by its place.`);
  return file;
});

/**
 * What nearly every screen loads is two files, not twenty: a file each costs a request, and its name in each list of them.
 * Rollup would take along what they import, so the libraries are named first.
 */
function chunkOf(path: string): string | undefined {
  if (/node_modules\/(react|react-dom|scheduler|@remix-run|@lingui)\//.test(path)) return 'libraries';
  return common.includes(path) ? 'common' : undefined;
}

/** With the mode `quick` the build takes half the time, and what is built is larger: a server for this machine is started with it. */
export default defineConfig(({ isSsrBuild, mode }) => ({
  define: {
    __RELEASE__: JSON.stringify(release),
    // It is off, see below: this leaves its decoder out of what every screen loads.
    'window.__remixContext.future.v3_singleFetch': 'false',
  },
  plugins: [
    messageMacros(),
    remix({
      future: {
        v3_fetcherPersist: true,
        v3_relativeSplatPath: true,
        v3_throwAbortReason: true,
        v3_routeConfig: true,
        v3_singleFetch: false,
        v3_lazyRouteDiscovery: false,
      },
    }),
    tailwindcss(),
    messagesOfChunks(),
    catalogFiles(),
  ],
  build: {
    assetsInlineLimit: 0,
    target: 'es2022',
    reportCompressedSize: false,
    // Terser is worth 4 KB on each screen. Wrangler minifies the Worker.
    minify: isSsrBuild ? false : mode === 'quick' ? 'esbuild' : 'terser',
    rollupOptions: isSsrBuild
      ? // Wrangler bundles packages and leaves out what nothing uses: faster, and into 23 KiB more.
        {
          treeshake: mode !== 'quick',
          external: mode === 'quick' ? (id: string) => /^@?[a-z]/.test(id) && !id.startsWith('virtual:') : [],
        }
      : { output: { manualChunks: chunkOf } },
  },
  ssr: {
    target: 'webworker',
    noExternal: true,
    resolve: { conditions: ['workerd', 'worker', 'browser', 'module', 'development|production'] },
  },
}));
