import { sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { former, id, instant, jsonList, named } from '../columns';

type StoredQuestion = {
  id: string;
  questionText: string;
  questionType: 0 | 1 | 2;
  options: string[] | null;
  required: boolean;
};
export type StoredAnswer = { question: string; answer: string };

/** A published version of a provider's check-in questions. An edit adds a row, which replaces the old one. */
export const templates = sqliteTable('templates', {
  id: id(),
  providerId: text('provider_id').notNull(),
  displayName: named('display_name', former.template).notNull(),
  questions: jsonList<StoredQuestion>('questions').notNull(),
  listedAt: instant('listed_at').notNull(),
  replaces: text('replaces'),
  createdAt: instant('created_at').notNull(),
  retiredAt: instant('retired_at'),
});
