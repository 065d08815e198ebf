import { signal } from '@preact/signals';
import { useId, useRef, useState } from 'preact/hooks';
import { t } from '../language.ts';
import { Dialog } from './dialog.tsx';

/** Confirmation dialogs for irreversible actions, with a reason where the audit log or the customer needs one. */

type Question = {
  title: string;
  text?: string;
  /** The label of the confirm button. */
  confirm: string;
  danger?: boolean;
  /** Asks for a reason, under this label. */
  reason?: string;
};
type Asked = Question & { answer: (reason: string | null) => void };

const asked = signal<Asked | null>(null);

/** Resolves to the reason (empty if none was asked for), or null: not confirmed. */
export function ask(question: Question): Promise<string | null> {
  return new Promise((resolve) => {
    asked.value?.answer(null);
    asked.value = {
      ...question,
      answer(reason) {
        asked.value = null;
        resolve(reason);
      },
    };
  });
}

export function Questions() {
  return asked.value === null ? null : <QuestionDialog question={asked.value} />;
}

function QuestionDialog({ question }: { question: Asked }) {
  const { title, text, confirm, danger, reason, answer } = question;
  const [given, setGiven] = useState('');
  const field = useRef<HTMLTextAreaElement>(null);
  const id = useId();
  return (
    <Dialog title={title} onClose={() => answer(null)}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (field.current === null || given.trim() !== '') return answer(given.trim());
          // Clears blanks, so that the browser's validation reports the missing reason.
          field.current.value = '';
          setGiven('');
          field.current.reportValidity();
        }}
      >
        {text && <p>{text}</p>}
        {reason && (
          <p class="field">
            <label for={id}>{reason}</label>
            <textarea
              ref={field}
              id={id}
              required
              maxLength={500}
              rows={3}
              value={given}
              onInput={(event) => setGiven(event.currentTarget.value)}
            />
          </p>
        )}
        <div class="buttons">
          <button type="submit" class={danger ? 'danger' : 'primary'}>
            {confirm}
          </button>
          <button type="button" onClick={() => answer(null)}>
            {t('act.cancel')}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
