import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { json, redirect } from '@remix-run/cloudflare';
import { type MetaFunction, type ShouldRevalidateFunctionArgs, useLoaderData } from '@remix-run/react';
import { useEffect, useMemo, useRef } from 'react';
import { Button } from '../../components/Button';
import { Card, Empty } from '../../components/Card';
import { ErrorSummary } from '../../components/forms/ErrorSummary';
import { FaultDialog } from '../../components/forms/FaultDialog';
import { focusFirst, TextField } from '../../components/forms/Field';
import { EnterSubmits, PostForm, Submit } from '../../components/forms/Form';
import { useSavedActionData } from '../../components/frame/drafts';
import { Page } from '../../components/frame/Page';
import { tabTitle } from '../../components/frame/titled';
import { useWords } from '../../components/words';
import { DomainError, type Fault } from '../../domain/errors';
import { parse } from '../../domain/input/fields';
import { limits } from '../../domain/input/limits';
import { notFound } from '../../domain/not-found';
import {
  acceptDialog,
  type EditorState,
  edited,
  editorState,
  isDialogBlank,
  readableState,
} from '../../domain/templates/editor';
import { untitled } from '../../domain/templates/questions';
import { questionList, templateName } from '../../domain/templates/templates';
import { createTemplate, editTemplate, getOwnTemplate } from '../../domain/templates/templates.server';
import { worded } from '../../domain/words/worded';
import { onceOf } from '../../http/form.server';
import { formAction, pageLoader } from '../../http/page.server';
import * as paths from '../../paths';
import { QuestionDialog } from './QuestionDialog';
import { QuestionLine } from './QuestionLine';
import { type Step, stepOf } from './step';

const titleOf = (id?: string | null) => (id ? msg`Edit Template` : msg`Create Template`);

export const meta: MetaFunction = ({ params, data }) => [{ title: tabTitle(titleOf(params.id), data) }];

const blank: EditorState = { displayName: '', questions: [], dialog: null };

export const loader = pageLoader('Provider', async ({ db, actor, hasActionData }, { params: { id } }) => {
  if (!id || hasActionData) return { id: id ?? null, state: blank };
  const { displayName, questions, isCurrent } = await getOwnTemplate(db, actor, id);
  if (!isCurrent) throw notFound('template');
  return { id, state: { displayName, questions: questions.map(({ id: _, ...asked }) => asked), dialog: null } };
});

export const action = formAction(
  'Provider',
  async (context, typed, { params: { id } }) => {
    const { db, actor, now } = context;
    const state = editorState(typed);
    const press = typed.press?.[0] ?? 'save';
    if (press !== 'save') {
      const after = edited(state, press);
      return json({ state: after, faults: [] as Fault[], step: stepOf(press, state, after) });
    }
    // Adds a question that is still in the dialog.
    const whole = isDialogBlank(state) ? { ...state, dialog: null } : acceptDialog(state);
    const draft = {
      displayName: parse(templateName, whole.displayName),
      questions: parse(questionList, whole.questions),
    };
    try {
      if (id) return redirect(paths.template((await editTemplate(db, actor, id, draft, now)).id), 303);
      await createTemplate(db, actor, draft, { now, key: onceOf(typed) });
      return redirect(paths.templates({ created: 'yes' }), 303);
    } catch (error) {
      if (!(error instanceof DomainError) || error.code !== 'not_found') throw error;
      // The template was edited or deleted in another tab: it can't be read again, but the typed text stays.
      context.hasActionData = true;
      return json({ state, faults: goneFaults }, { status: 404 });
    }
  },
  (typed, { code, faults }) => ({
    state: readableState(typed),
    isInvalid: code === 'invalid',
    faults: faults.map(({ field, message }) => ({ field: (field && dialogFields[field]) ?? null, message })),
  }),
);

/** The fields of the dialog, by the names that the rules for questions use. */
const dialogFields: Record<string, string> = { questionText: 'question-text', options: 'question-choice' };

const goneFaults: Fault[] = [
  {
    field: null,
    message: msg`These questions were changed or deleted elsewhere meanwhile. What you wrote is still here.`,
  },
];

/** The form carries the whole template, so the stored one must not replace it. */
export function shouldRevalidate({ actionStatus, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs): boolean {
  return actionStatus === undefined && defaultShouldRevalidate;
}

/** With script: moves the focus to the next button in the list, unless the reader has left the list meanwhile. */
function useStep(step: Step | null) {
  const arrived = useRef(step);
  useEffect(() => {
    const focused = document.activeElement;
    const isWaiting = focused === document.body || focused?.getAttribute('name') === 'press';
    if (step && step !== arrived.current && isWaiting) document.querySelector<HTMLElement>('[data-first]')?.focus();
  }, [step]);
}

export default function Write() {
  const { id, state: loaded } = useLoaderData<typeof loader>();
  const actionData = useSavedActionData<typeof action>();
  const { displayName, questions, dialog } = actionData?.state ?? loaded;
  const words = useWords();
  const { t, i18n } = useLingui();
  const faults: Fault[] | undefined = actionData?.faults;
  // The dialog opens once for each of these objects.
  const refused = useMemo(
    () => ({ faults: (faults ?? []).map((fault) => ({ ...fault, message: worded(i18n, fault.message) })), typed: {} }),
    [i18n, faults],
  );
  const step = actionData && 'step' in actionData ? (actionData.step as Step | null) : null;
  useStep(step);
  const isInvalid = actionData && 'isInvalid' in actionData && actionData.isInvalid;
  return (
    <Page title={words(titleOf(id))}>
      <FaultDialog title={isInvalid ? t`Invalid Form Question` : t`Not saved`} refused={refused} />
      <ErrorSummary refused={refused} isDialogOpen />
      <p role="status" className="sr-only">
        {step && words(step.words)}
      </p>
      <PostForm className="grid gap-6" preventScrollReset>
        <EnterSubmits name="press" value={dialog ? 'keep' : 'save'} />
        {questions.map((question) => (
          <input key={question.questionText} type="hidden" name="question" value={JSON.stringify(question)} />
        ))}
        <Card>
          <TextField
            name="templateName"
            label={t`Title`}
            placeholder={words(untitled)}
            defaultValue={displayName}
            maxLength={limits.template.name}
          />
          {questions.length === 0 && !dialog && (
            <Empty>{t`No questions yet. People who book answer the questions that you add here.`}</Empty>
          )}
          <ol className="grid">
            {questions.map((question, place) => (
              <QuestionLine
                key={question.questionText}
                asked={question}
                place={place}
                count={questions.length}
                next={step?.next?.place === place ? step.next.button : undefined}
              />
            ))}
          </ol>
          {dialog ? (
            <QuestionDialog key={questions[dialog.place ?? -1]?.questionText ?? ''} dialog={dialog} refused={refused} />
          ) : (
            <div>
              <Button
                quiet
                name="press"
                value="add"
                disabled={questions.length >= limits.template.questions}
                {...(step && !step.next && focusFirst)}
              >
                {t`Add new question`}
              </Button>
            </div>
          )}
          {id && (
            <p className="text-sm text-muted">
              {t`Published appointments keep the questions as they were. New ones ask these.`}
            </p>
          )}
          <div>
            <Submit quiet={dialog !== null} name="press" value="save">
              {t`Submit`}
            </Submit>
          </div>
        </Card>
      </PostForm>
    </Page>
  );
}
