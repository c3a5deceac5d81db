import {
  type AppLoadContext,
  createRequestHandler,
  type RequestHandler,
  type ServerBuild,
} from '@remix-run/cloudflare';

/** The path of a screen or call, and its routes from the root on. */
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

const fits = (segment: string, part: string | undefined) =>
  segment === '*' || (part === undefined ? isOptional(segment) : isOpen(segment) || segment === part);

const mayMatch = (branch: Branch, address: string[]) =>
  branch.segments.every((segment, place) => fits(segment, address[place])) &&
  (address.length <= branch.segments.length || takesAll(branch));

/** True if this may be the first part of an address of the branch, which may be without its own if that is optional. */
const mayBegin = ({ segments: [own = '*'] }: Branch, first: string) => fits(own, first) || isOptional(own);

/** Handles a call without the framework: item 12 in README.md. */
type CallHandler = (request: Request, context: AppLoadContext) => Promise<Response>;

// `route` is `*` if only the framework understands the address. For an API call, `call` replaces `handle`.
export type Found = { handle: RequestHandler; route: string; call?: CallHandler | undefined };
type Known = Pick<Found, 'handle' | 'route'> & { callOf: ((address: string[]) => CallHandler) | undefined };

const paramsOf = ({ segments }: Branch, address: string[]): Record<string, string | undefined> =>
  Object.fromEntries(
    segments.flatMap((segment, place) =>
      isOpen(segment) ? [[segment.replace(/^:|\?$/g, ''), address[place]] as const] : [],
    ),
  );

function callsOf(branch: Branch, { routes }: ServerBuild): Known['callOf'] {
  const { loader, action } = routes[branch.ids.at(-1) ?? '']?.module ?? {};
  if (branch.segments[0] !== 'api' || !loader || loader !== action) return undefined;
  return (address) => async (request, context) =>
    (await loader({ request, context, params: paramsOf(branch, address) })) as Response;
}

/** Finds a handler that has only the routes that the address can mean: item 1 in README.md. */
export function handlersOf(build: ServerBuild): (pathname: string) => Found {
  const branches = branchesOf(build);
  // Few routes begin alike, and an address is compared with those alone.
  const firstParts = new Set(branches.map(({ segments: [first = ''] }) => first));
  const beginning = new Map([...firstParts].map((part) => [part, branches.filter((branch) => mayBegin(branch, part))]));
  const open = branches.filter((branch) => mayBegin(branch, ''));
  const all: Found = { handle: createRequestHandler(build, 'production'), route: '*' };
  const handlers = new Map<string, Known>();
  const make = (fitting: Branch[]): Known => {
    const ids = new Set(fitting.flatMap(({ ids }) => ids));
    const only = <Route>(routes: Record<string, Route>) =>
      Object.fromEntries(Object.entries(routes).filter(([id]) => ids.has(id)));
    // The list for the browser is a different one.
    const assets = { ...build.assets, routes: only(build.assets.routes) };
    const [first, ...others] = fitting;
    return {
      handle: createRequestHandler({ ...build, assets, routes: only(build.routes) }, 'production'),
      route: `/${first?.segments.join('/') ?? '*'}`,
      callOf: first && others.length === 0 ? callsOf(first, build) : undefined,
    };
  };
  return (pathname) => {
    // If the address is written in an unusual way, the framework decides.
    if (/[^\w/.-]|\/\//.test(pathname)) return all;
    const typed = pathname.split('/').filter(Boolean);
    const address = typed.map((segment) => segment.toLowerCase());
    const [first = ''] = address;
    const possible = (beginning.get(first) ?? open).filter((branch) => mayMatch(branch, address));
    const exact = possible.filter((branch) => !takesAll(branch));
    const fitting = exact.length > 0 ? exact : possible;
    const key = fitting.map(({ ids }) => ids.at(-1)).join(' ');
    const handler = handlers.get(key) ?? make(fitting);
    handlers.set(key, handler);
    return { handle: handler.handle, route: handler.route, call: handler.callOf?.(typed) };
  };
}
