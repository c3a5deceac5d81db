import { createContext } from 'react';

/** The nonce of the content-security policy; empty in the browser, which hides it, and in another site's frame. */
export const Nonce = createContext('');
