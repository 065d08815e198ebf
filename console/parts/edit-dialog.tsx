import type { ComponentChildren } from 'preact';
import { t } from '../language.ts';
import { Dialog } from './dialog.tsx';
import { Form, type FormState } from './fields.tsx';
import { toast } from './toasts.tsx';

type Values = Record<string, string | boolean | readonly unknown[]>;

/** A form that adds or changes something. */
export function EditDialog<T extends Values>({
  title,
  isNew = false,
  form,
  send,
  onClose,
  children,
}: {
  title: string;
  isNew?: boolean;
  form: FormState<T>;
  send: (values: T) => Promise<unknown>;
  onClose: () => void;
  children: ComponentChildren;
}) {
  return (
    <Dialog title={title} onClose={onClose} wide>
      <Form
        form={form}
        submit={isNew ? t('act.add') : t('act.save')}
        onClose={onClose}
        onDone={() => {
          toast(t('act.saved'));
          onClose();
        }}
        send={send}
      >
        {children}
      </Form>
    </Dialog>
  );
}
