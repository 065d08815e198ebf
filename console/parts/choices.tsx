import { useId } from 'preact/hooks';

type Choice<T> = { value: T; label: string; about: string; isDisabled?: boolean };

/** One of a few ways, each with what it means. */
export function Choices<T extends string | boolean>({
  legend,
  choices,
  chosen,
  onChange,
}: {
  legend: string;
  choices: readonly Choice<T>[];
  chosen: T;
  onChange: (value: T) => void;
}) {
  const name = useId();
  return (
    <fieldset class="choices stacked">
      <legend>{legend}</legend>
      {choices.map(({ value, label, about, isDisabled = false }) => (
        <label key={String(value)}>
          <input
            type="radio"
            name={name}
            checked={chosen === value}
            disabled={isDisabled}
            onChange={() => onChange(value)}
          />{' '}
          <span>
            {label}{' '}
            <span class="faint small" role="status">
              {about}
            </span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
