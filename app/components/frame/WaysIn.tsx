import * as paths from '../../paths';

const link = 'inline-flex min-h-11 items-center underline-offset-4 hover:underline';

/** What a stranger has instead of the menu: a few links at the end of the page's head. */
export const WaysIn = () => (
  <nav aria-label="Main" className="flex flex-wrap items-center gap-x-5 text-sm">
    <a href={paths.home()} className={link}>
      Home
    </a>
    <a href={paths.login()} className={link}>
      Login
    </a>
    <a href={paths.register()} className={`${link} font-semibold`}>
      Register
    </a>
  </nav>
);
