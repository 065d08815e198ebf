import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import type { Failure } from '../calls.ts';
import type { Topic } from '../changes.ts';
import { faultText } from '../failure-text.ts';
import { t } from '../language.ts';
import { useAction } from '../query.ts';
import { limitsOf, Written } from './date-input.tsx';
import { Failed } from './failed.tsx';
import type { Option } from './filters.tsx';

/** Forms with the server's validation messages: at their fields, the others on top. */

type Values = Record<string, string | boolean | readonly unknown[]>;

export type FormState<T extends Values> = {
  values: T;
  set: <Name extends keyof T>(name: Name, value: T[Name]) => void;
  faults: (name: keyof T & string) => readonly string[];
  failure: Failure | null;
  /** The messages that belong to no field. */
  others: readonly string[];
  busy: boolean;
  submit: (work: (values: T) => Promise<unknown>) => Promise<boolean>;
  /** Goes on from the stored values in a form that stays open; fields edited since they were sent keep their edits. */
  saved: (sent: T, stored: T) => void;
  /** Whether there are unsaved changes. */
  isChanged: boolean;
  /** The locally changed fields of a body, so that a patch keeps other users' changes. */
  changed: <Body extends object>(body: Body) => Partial<Body>;
};

/** Widens literal types of initial values, such as `''`. */
type Widened<T extends Values> = {
  [Name in keyof T]: T[Name] extends string ? string : T[Name] extends boolean ? boolean : T[Name];
};

export function useForm<T extends Values>(initial: T, topics: readonly Topic[]): FormState<Widened<T>> {
  const [before, setBefore] = useState(initial as Widened<T>);
  const [values, setValues] = useState(before);
  const action = useAction(topics);
  const { failure } = action;
  const told = failure?.status === 400 ? (failure.details.message ?? []) : [];
  const belongsTo = (name: string, message: string): boolean =>
    new RegExp(`^(?:each value in )?${name}(?:[ :.\\[]|$)`).test(message);
  const others = told.filter((one) => !Object.keys(values).some((name) => belongsTo(name, one)));
  return {
    values,
    set: (name, value) => setValues((before) => ({ ...before, [name]: value })),
    faults: (name) =>
      told
        .filter((message) => belongsTo(name, message))
        // Texts of the console: the name only says where they stand.
        .map((message) =>
          message.startsWith(`${name}: `) ? message.slice(name.length + 2) : faultText(message),
        ),
    failure: told.length > 0 && others.length === 0 ? null : failure,
    others,
    busy: action.busy,
    submit: (work) => action.run(() => work(values)),
    saved(sent, stored) {
      setBefore(stored);
      setValues((latest) => ({
        ...stored,
        ...Object.fromEntries(Object.entries(latest).filter(([name, value]) => value !== sent[name])),
      }));
    },
    isChanged: JSON.stringify(values) !== JSON.stringify(before),
    changed: (body) =>
      Object.fromEntries(
        Object.entries(body)
          .filter(([name]) => JSON.stringify(before[name]) !== JSON.stringify(values[name]))
          // An emptied field is null: undefined would leave the value unchanged.
          .map(([name, value]) => [name, value ?? null]),
      ) as Partial<typeof body>,
  };
}

/** The form element; after a refusal it focuses the first invalid field. */
export function Form<T extends Values>({
  form,
  send,
  onDone,
  submit,
  danger = false,
  children,
  onClose,
}: {
  form: FormState<T>;
  send: (values: T) => Promise<unknown>;
  onDone?: () => void;
  /** The label of the submit button. */
  submit: string;
  danger?: boolean;
  children: ComponentChildren;
  onClose?: () => void;
}) {
  const element = useRef<HTMLFormElement>(null);
  const [refusals, setRefusals] = useState(0);
  useEffect(() => {
    const invalid = element.current?.querySelector<HTMLElement>('[aria-invalid="true"]');
    if (invalid) invalid.focus();
    else element.current?.querySelector('.failed')?.scrollIntoView({ block: 'nearest' });
  }, [refusals]);
  return (
    <form
      ref={element}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void form.submit(send).then((worked) => (worked ? onDone?.() : setRefusals((count) => count + 1)));
      }}
    >
      {form.failure && <Failed failure={form.failure} faults={form.others} />}
      {children}
      <div class="buttons">
        <button type="submit" class={danger ? 'danger' : 'primary'} disabled={form.busy}>
          {submit}
        </button>
        {onClose && (
          <button type="button" disabled={form.busy} onClick={onClose}>
            {t('act.cancel')}
          </button>
        )}
      </div>
    </form>
  );
}

type FieldProps<T extends Values> = {
  form: FormState<T>;
  name: keyof T & string;
  label: string;
  hint?: string;
  required?: boolean;
};

/** Label, control, hint and messages, associated for screen readers. */
function Framed<T extends Values>({
  form,
  name,
  label,
  hint,
  required,
  children,
}: FieldProps<T> & { children: (attributes: Record<string, unknown>) => JSX.Element }) {
  const id = useId();
  const faults = form.faults(name);
  const described = [hint && `${id}-hint`, faults.length > 0 && `${id}-fault`].filter(Boolean).join(' ');
  return (
    <div class="field">
      <label for={id}>
        {label} {required && <span class="faint small">({t('field.required')})</span>}
      </label>
      {children({
        id,
        'aria-invalid': faults.length > 0 ? 'true' : undefined,
        'aria-describedby': described || undefined,
        'aria-required': required ? 'true' : undefined,
      })}
      {hint && (
        <span class="small faint" id={`${id}-hint`}>
          {hint}
        </span>
      )}
      {faults.length > 0 && (
        <span class="fault" id={`${id}-fault`}>
          {faults.map((fault) => (
            <bdi key={fault}>{fault}</bdi>
          ))}
        </span>
      )}
    </div>
  );
}

export function TextField<T extends Values>({
  type = 'text',
  rows,
  ltr,
  rtl,
  step,
  ...field
}: FieldProps<T> & {
  type?: 'text' | 'number' | 'date' | 'time' | 'datetime-local';
  /** Lines of a text area. */
  rows?: number;
  ltr?: boolean;
  rtl?: boolean;
  step?: string;
}) {
  const { form, name } = field;
  const value = form.values[name] as string;
  const change = (changed: string): void => form.set(name, changed as T[typeof name]);
  const dir = ltr ? 'ltr' : rtl ? 'rtl' : undefined;
  const isDated = type === 'datetime-local';
  return (
    <Framed {...field}>
      {(attributes) =>
        rows === undefined ? (
          <>
            <input
              {...attributes}
              {...(isDated && {
                'aria-describedby': `${attributes['aria-describedby'] ?? ''} ${attributes.id}-written`,
              })}
              type={(type === 'number' ? 'text' : type) as 'text'}
              inputMode={type === 'number' ? 'decimal' : undefined}
              step={step}
              {...limitsOf(type)}
              dir={dir}
              autoComplete="off"
              value={value}
              onInput={(event) => change(event.currentTarget.value)}
            />
            {isDated && <Written id={`${attributes.id}-written`} value={value} />}
          </>
        ) : (
          <textarea
            {...attributes}
            rows={rows}
            dir={dir}
            value={value}
            onInput={(event) => change(event.currentTarget.value)}
          />
        )
      }
    </Framed>
  );
}

export function SelectField<T extends Values>({
  options,
  ...field
}: FieldProps<T> & { options: readonly Option[] }) {
  const { form, name } = field;
  return (
    <Framed {...field}>
      {(attributes) => (
        <select
          {...attributes}
          value={form.values[name] as string}
          onChange={(event) => form.set(name, event.currentTarget.value as T[typeof name])}
        >
          {options.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      )}
    </Framed>
  );
}

export function CheckField<T extends Values>({ form, name, label, hint }: FieldProps<T>) {
  const id = useId();
  return (
    <div class="field check">
      <input
        id={id}
        type="checkbox"
        checked={form.values[name] as boolean}
        aria-describedby={hint ? `${id}-hint` : undefined}
        onChange={(event) => form.set(name, event.currentTarget.checked as T[typeof name])}
      />
      <label for={id}>{label}</label>
      {hint && (
        <span class="small faint" id={`${id}-hint`}>
          {hint}
        </span>
      )}
    </div>
  );
}

/** Multiple choices from a list. */
export function ChoicesField<T extends Values>({
  options,
  ...field
}: FieldProps<T> & { options: readonly Option[] }) {
  const { form, name, label } = field;
  const chosen = form.values[name] as readonly string[];
  const faults = form.faults(name);
  const id = useId();
  return (
    <fieldset class="choices" aria-describedby={faults.length > 0 ? id : undefined}>
      <legend>{label}</legend>
      {options.map(({ value, label: text }) => (
        <label key={value}>
          <input
            type="checkbox"
            aria-invalid={faults.length > 0 ? 'true' : undefined}
            checked={chosen.includes(value)}
            onChange={(event) =>
              form.set(
                name,
                (event.currentTarget.checked
                  ? [...chosen, value]
                  : chosen.filter((one) => one !== value)) as unknown as T[typeof name],
              )
            }
          />{' '}
          <bdi>{text}</bdi>
        </label>
      ))}
      {faults.length > 0 && (
        <span class="fault" id={id}>
          {faults.map((fault) => (
            <bdi key={fault}>{fault}</bdi>
          ))}
        </span>
      )}
    </fieldset>
  );
}
