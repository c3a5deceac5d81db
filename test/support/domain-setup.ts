import { beforeAll } from 'vitest';
import { renewTables } from './new-tables';

/** Empties the tables for each file: files share a runtime, which takes longer to start than most of them to run. */
beforeAll(renewTables);
