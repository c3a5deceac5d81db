import { createRequestHandler, type EntryContext, json, type ServerBuild } from '@remix-run/cloudflare';
import { Links, Meta, Outlet, RemixServer, Scripts, useLoaderData } from '@remix-run/react';
import { renderToReadableStream } from 'react-dom/server';
import type { Read } from './yardstick-worker';

/* The smallest Remix app that reads one row: a root and one route, as its template has them, nothing of ours. */

function Root() {
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <Meta />
        <Links />
      </head>
      <body>
        <Outlet />
        <Scripts />
      </body>
    </html>
  );
}

function Page() {
  const { id } = useLoaderData<{ id: string }>();
  return <p>{id}</p>;
}

async function render(request: Request, status: number, headers: Headers, remix: EntryContext) {
  const body = await renderToReadableStream(<RemixServer context={remix} url={request.url} />);
  headers.set('Content-Type', 'text/html');
  return new Response(body, { headers, status });
}

const nothing = { hasAction: false, hasLoader: false, hasClientAction: false, hasClientLoader: false };
const script = { hasErrorBoundary: false, imports: [], ...nothing };

const build = {
  entry: { module: { default: render } },
  routes: {
    root: { id: 'root', path: '', module: { default: Root } },
    page: {
      id: 'page',
      parentId: 'root',
      path: 'remix',
      module: {
        default: Page,
        loader: async ({ context }: { context: unknown }) => json(await (context as { read: Read }).read()),
      },
    },
  },
  assets: {
    entry: { module: '/assets/entry.js', imports: [] },
    routes: {
      root: { id: 'root', path: '', module: '/assets/root.js', ...script },
      page: { id: 'page', parentId: 'root', path: 'remix', module: '/assets/page.js', ...script, hasLoader: true },
    },
    url: '/assets/manifest.js',
    version: '1',
  },
  publicPath: '/',
  assetsBuildDirectory: 'build/client',
  isSpaMode: false,
  mode: 'production',
  future: {
    v3_fetcherPersist: true,
    v3_relativeSplatPath: true,
    v3_throwAbortReason: true,
    v3_routeConfig: true,
    v3_singleFetch: false,
    v3_lazyRouteDiscovery: false,
    unstable_optimizeDeps: false,
  },
} as unknown as ServerBuild;

const handle = createRequestHandler(build, 'production');

/** Answers with the page; `read` is its one read. */
export const remixPage = (request: Request, read: Read): Promise<Response> =>
  handle(request, { read } as unknown as Parameters<typeof handle>[1]);
