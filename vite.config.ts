import { readdirSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { vitePlugin as remix } from '@remix-run/dev';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig } from 'vite';
import { openApiDocument } from './app/routes/api/openapi';
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

/**
 * What nearly every screen loads is two files, not thirty: a file each costs a request, and its name in each list of them.
 * Rollup would take along what they import, so the libraries are named first.
 */
function chunkOf(path: string): string | undefined {
  if (/node_modules\/(react|react-dom|scheduler|@remix-run)\//.test(path)) return 'libraries';
  const isCommon =
    /app\/(paths|components\/(Button|Card|ErrorSummary|Face|Field|Fold|Form|Icon|Page|Sidebar|Time|heading|kept|nonce|refusal|Pager|Reach|script|shell|storage|titled|unsaved-form)|domain\/input\/limits|domain\/parties\/parties|domain\/time\/clock|domain\/leaving\/former)\.tsx?$/;
  return isCommon.test(path) ? 'common' : undefined;
}

export default defineConfig(({ isSsrBuild }) => ({
  define: {
    __RELEASE__: JSON.stringify(release),
    // It is off, see below: this leaves its decoder out of what every screen loads.
    'window.__remixContext.future.v3_singleFetch': 'false',
  },
  plugins: [
    remix({
      future: {
        v3_fetcherPersist: true,
        v3_relativeSplatPath: true,
        v3_throwAbortReason: true,
        v3_routeConfig: true,
        v3_singleFetch: false,
        v3_lazyRouteDiscovery: false,
      },
      async buildEnd({ remixConfig }) {
        const folder = join(remixConfig.buildDirectory, 'client/api');
        await mkdir(folder, { recursive: true });
        await writeFile(join(folder, 'openapi.json'), JSON.stringify(openApiDocument(version)));
      },
    }),
    tailwindcss(),
  ],
  build: {
    assetsInlineLimit: 0,
    target: 'es2022',
    // Worth 4 KB on each screen. The Worker is minified when it is deployed.
    minify: isSsrBuild ? false : 'terser',
    rollupOptions: isSsrBuild ? {} : { output: { manualChunks: chunkOf } },
  },
  ssr: {
    target: 'webworker',
    noExternal: true,
    resolve: { conditions: ['workerd', 'worker', 'browser', 'module', 'development|production'] },
  },
}));
