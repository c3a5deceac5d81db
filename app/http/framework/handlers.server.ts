import { createRequestHandler, type RequestHandler, type ServerBuild } from '@remix-run/cloudflare';

/** A screen or call: the segments of its path, and its routes from the root. */
type Branch = { segments: string[]; ids: string[] };

const split = (path: string) => path.toLowerCase().split('/').filter(Boolean);
const isOpen = (segment: string) => segment.startsWith(':');
const isOptional = (segment: string) => segment.endsWith('?');

function branchesOf({ routes }: ServerBuild): Branch[] {
  const list = Object.values(routes).filter((route) => route !== undefined);
  return list
    .filter(({ id }) => !list.some(({ parentId }) => parentId === id))
    .map((leaf) => {
      const branch: Branch = { segments: [], ids: [] };
      for (let route = leaf as (typeof list)[number] | undefined; route; route = routes[route.parentId ?? '']) {
        branch.ids.unshift(route.id);
        branch.segments.unshift(...split(route.path ?? ''));
      }
      return branch;
    });
}

const takesAll = ({ segments }: Branch) => segments.at(-1) === '*';

/** True where an address, in segments, may belong to this branch. */
function isOf(branch: Branch, asked: string[]): boolean {
  const isAt = (segment: string, place: number) => {
    const there = asked[place];
    return segment === '*' || (there === undefined ? isOptional(segment) : isOpen(segment) || segment === there);
  };
  return branch.segments.every(isAt) && (asked.length <= branch.segments.length || takesAll(branch));
}

/** What answers at an address, and the pattern of that address; `*` where it is written so that only the framework knows. */
export type Found = { handle: RequestHandler; route: string };

/** Finds the framework's handler for an address, which knows only the routes that it can mean: item 1 of README.md. */
export function handlersOf(build: ServerBuild): (pathname: string) => Found {
  const branches = branchesOf(build);
  const all: Found = { handle: createRequestHandler(build, 'production'), route: '*' };
  const made = new Map<string, Found>();
  return (pathname) => {
    // An address can be spelled in several ways: leave those to the framework.
    if (/[^\w/.-]|\/\//.test(pathname)) return all;
    const asked = split(pathname);
    const possible = branches.filter((branch) => isOf(branch, asked));
    const exact = possible.filter((branch) => !takesAll(branch));
    const fitting = exact.length > 0 ? exact : possible;
    const key = fitting.map(({ ids }) => ids.at(-1)).join(' ');
    const known = made.get(key);
    if (known) return known;
    const ids = new Set(fitting.flatMap(({ ids }) => ids));
    const only = <Route>(routes: Record<string, Route>) =>
      Object.fromEntries(Object.entries(routes).filter(([id]) => ids.has(id)));
    // The browser has its own list of all routes.
    const assets = { ...build.assets, routes: only(build.assets.routes) };
    const handle = createRequestHandler({ ...build, assets, routes: only(build.routes) }, 'production');
    const found = { handle, route: `/${fitting[0]?.segments.join('/') ?? '*'}` };
    made.set(key, found);
    return found;
  };
}
