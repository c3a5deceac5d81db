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
  },
  ssr: {
    target: 'webworker',
    noExternal: true,
    resolve: { conditions: ['workerd', 'worker', 'browser', 'module', 'development|production'] },
  },
}));
