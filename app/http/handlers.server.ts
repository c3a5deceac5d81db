import { createRequestHandler, type RequestHandler, type ServerBuild } from '@remix-run/cloudflare';

/** The route ids that a screen may be made of: one branch of the tree. */
type Branch = { segments: string[]; isWhole: boolean; ids: string[] };

const split = (path: string) => path.toLowerCase().split('/').filter(Boolean);

function branchesOf({ routes }: ServerBuild): Branch[] {
  const list = Object.values(routes).filter((route) => route !== undefined);
  return list
    .filter(({ id }) => !list.some(({ parentId }) => parentId === id))
    .map((leaf) => {
      const ids: string[] = [];
      const path: string[] = [];
      for (let route = leaf as (typeof list)[number] | undefined; route; route = routes[route.parentId ?? '']) {
        ids.unshift(route.id);
        path.unshift(...split(route.path ?? ''));
      }
      const segments = path.slice(0, path.findIndex((part) => /^:|\*/.test(part)) >>> 0);
      return { segments, isWhole: segments.length === path.length, ids };
    });
}

/**
 * Finds the framework's handler for an address. The framework ranks all routes it knows several times for each request,
 * so it is handed only those whose fixed beginnings the address has, and each such selection is made once.
 */
export function handlersOf(build: ServerBuild): (pathname: string) => RequestHandler {
  const branches = branchesOf(build);
  const all = createRequestHandler(build, 'production');
  const made = new Map<string, RequestHandler>();
  return (pathname) => {
    // Written in another way an address is still the same one; finding that out is left to the framework.
    if (/[^\w/.-]/.test(pathname)) return all;
    const asked = split(pathname);
    const fitting = branches.filter(
      ({ segments, isWhole }) =>
        segments.every((segment, place) => segment === asked[place]) && !(isWhole && asked.length > segments.length),
    );
    const key = fitting.map(({ ids }) => ids.at(-1)).join(' ');
    const known = made.get(key);
    if (known) return known;
    const ids = new Set(fitting.flatMap(({ ids }) => ids));
    const only = <Route>(routes: Record<string, Route>) =>
      Object.fromEntries(Object.entries(routes).filter(([id]) => ids.has(id)));
    // The browser has a list of all routes of its own.
    const assets = { ...build.assets, routes: only(build.assets.routes) };
    const handler = createRequestHandler({ ...build, assets, routes: only(build.routes) }, 'production');
    made.set(key, handler);
    return handler;
  };
}
