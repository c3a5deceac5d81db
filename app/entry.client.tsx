import { RemixBrowser } from '@remix-run/react';
import { StrictMode, startTransition } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { watchControls } from './components/forms/controls';
import { takeDestination } from './components/frame/destination';

const heading = takeDestination();
if (heading) location.replace(heading);
else {
  watchControls();
  startTransition(() => {
    hydrateRoot(
      document,
      <StrictMode>
        <RemixBrowser />
      </StrictMode>,
    );
  });
}
