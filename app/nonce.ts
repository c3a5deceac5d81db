import { createContext } from 'react';

/** The nonce of this answer's content-security policy, for script tags; empty in the browser, which forgets it. */
export const Nonce = createContext('');
